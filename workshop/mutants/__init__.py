"""Mutants for behaviours: engines that are wrong in exactly one way, and the matrix of kills."""
