"""Programs as source: checks, native programs, regression tests, and the report of a program."""
