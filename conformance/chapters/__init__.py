"""The specification, one file per chapter."""
