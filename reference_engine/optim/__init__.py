"""torch.optim: gradient descent, the only optimizer that examples of autograd need."""

from .sgd import SGD

__all__ = ["SGD"]
