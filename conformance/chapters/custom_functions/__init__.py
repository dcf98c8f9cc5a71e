"""Custom functions: torch.autograd.Function, its forward, backward, jvp and vmap, and the context that they share."""
