"""Modes: which operations are recorded under no_grad, enable_grad, set_grad_enabled and inference mode."""
