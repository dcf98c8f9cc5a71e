"""Batching: vmap, in four files: mapped dimensions, gradients, random numbers, and limits."""
