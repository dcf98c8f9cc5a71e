"""Control flow, in two files: branches, and loops."""
