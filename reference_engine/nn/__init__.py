"""torch.nn, as far as autograd is concerned: parameters, modules, the layers of the founding documents."""

from . import functional, init, parameter
from .layers import (
    GELU,
    CrossEntropyLoss,
    Dropout,
    Identity,
    Linear,
    ModuleList,
    MSELoss,
    ReLU,
    Sequential,
    Sigmoid,
    Softplus,
    Tanh,
)
from .module import Module
from .parameter import Parameter

__all__ = [
    "GELU",
    "CrossEntropyLoss",
    "Dropout",
    "Identity",
    "Linear",
    "MSELoss",
    "Module",
    "ModuleList",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softplus",
    "Tanh",
    "functional",
    "init",
    "parameter",
]
