"""Batching: the chapter, split into mapped dimensions, gradients, draws, and what an example does not offer."""
