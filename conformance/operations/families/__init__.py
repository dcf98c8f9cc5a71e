"""The rows of the table of operations, one file per family."""
