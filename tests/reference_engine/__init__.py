"""Tests of the reference engine: the table of rules, the tape, and programs run in PyTorch's place."""
