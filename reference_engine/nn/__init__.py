"""torch.nn, as far as autograd is concerned: parameters, modules, the layers of the founding documents."""

from . import functional, init, parameter
from .images import BatchNorm1d, BatchNorm2d, Conv1d, Conv2d, Flatten, LayerNorm, MaxPool2d
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
    "BatchNorm1d",
    "BatchNorm2d",
    "Conv1d",
    "Conv2d",
    "CrossEntropyLoss",
    "Dropout",
    "Flatten",
    "Identity",
    "LayerNorm",
    "Linear",
    "MSELoss",
    "MaxPool2d",
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
