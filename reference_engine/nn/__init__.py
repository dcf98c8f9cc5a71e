"""torch.nn, as far as autograd is concerned: parameters, modules, the layers of the founding documents."""

from . import functional, init, parameter, utils
from .layers import Linear, Sequential
from .module import Module
from .parameter import Parameter

__all__ = ["Linear", "Module", "Parameter", "Sequential", "functional", "init", "parameter", "utils"]
