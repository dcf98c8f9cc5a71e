"""Views: tensors that share memory with a base, in-place operations on them, and their gradients."""
