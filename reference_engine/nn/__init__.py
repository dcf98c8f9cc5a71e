"""torch.nn, as far as autograd is concerned: parameters and functional forms."""

from . import functional, parameter
from .parameter import Parameter

__all__ = ["Parameter", "functional", "parameter"]
