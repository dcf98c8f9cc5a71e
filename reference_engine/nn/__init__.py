"""torch.nn, as far as autograd is concerned: parameters, modules, the layers of the founding documents."""

from . import functional, init, parameter
from .layers import Linear, ReLU, Sequential, Sigmoid, Softplus, Tanh
from .module import Module
from .parameter import Parameter

__all__ = [
    "Linear", "Module", "Parameter", "ReLU", "Sequential", "Sigmoid", "Softplus", "Tanh", "functional",
    "init", "parameter",
]  # fmt: skip
