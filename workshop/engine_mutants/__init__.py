"""Mutants of PyTorch and JAX: their public functions, wrapped so that they are wrong in one way."""
