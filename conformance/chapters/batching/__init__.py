"""Batching: vmap, in five files: mapped dimensions, gradients, random numbers, limits, and stacked modules."""
