"""Saved tensors: what an operation keeps for backward, and the hooks that pack and unpack it."""
