"""Mutants written by hand, by engine and area: what no family gives, and what users of an engine would call a bug."""
