"""Mutated checks: every behaviour's check is a seed, changed at one of its calls of verbs.

A change is neutral by the engines' documentation: the behaviour's own expectations judge it. Programs that compute
something else are generated (`conformance/programs`), and another engine judges them.
"""
