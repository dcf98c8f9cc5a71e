"""Mutated programs: every behaviour's check is a seed, changed at one or two of its calls of verbs.

A neutral change must not change the verdict: the behaviour's own expectations judge it. Any other change gives the
check other numbers, flags or errors: then a second engine judges it, and what assertions are given is compared.
"""
