"""Views: tensors that share memory with a base, writing through them, and their gradients."""
