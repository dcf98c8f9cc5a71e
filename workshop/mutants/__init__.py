"""Mutants: engines that are wrong in exactly one way, and the matrix of which behaviour notices which of them."""
