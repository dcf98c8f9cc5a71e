"""torch.optim: gradient descent, the optimisers that examples of autograd need."""

from .adam import Adam
from .sgd import SGD

__all__ = ["SGD", "Adam"]
