"""Accumulation: gradients add up in the .grad of a leaf until it is cleared."""
