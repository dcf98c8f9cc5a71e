"""What becomes of results: reports, one matrix from many files, and what changed between two."""
