"""The layers that the founding documents use, and their kin: each is one function of `nn.functional`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from ..functions import pointwise
from ..functions.products import linear
from . import init
from .module import Module
from .parameter import Parameter


def draw_within(layer: Any, inputs: int) -> None:
    """Draw the weight and the bias of a layer, both within one over the root of how many inputs an output has."""
    # The bound of kaiming_uniform_ with a = sqrt(5), computed in its order to round as it does.
    width = math.sqrt(3.0) * (math.sqrt(2.0 / 6.0) / math.sqrt(inputs)) if inputs else 0.0
    init.uniform_(layer.weight, -width, width)
    if layer.bias is not None:
        bound = 1 / math.sqrt(inputs) if inputs else 0.0
        init.uniform_(layer.bias, -bound, bound)


class Linear(Module):
    """``x @ weight.T + bias``; both start uniform within ``1 / sqrt(in_features)`` (torch.nn.Linear)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(init.empty((out_features, in_features), dtype))
        self.register_parameter("bias", Parameter(init.empty((out_features,), dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        draw_within(self, self.in_features)

    def forward(self, input: Tensor) -> Tensor:
        return linear(input, self.weight, self.bias)


class Sequential(Module):
    """Modules one after another, by position or by the names of a dictionary (torch.nn.Sequential)."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = modules[0] if len(modules) == 1 and isinstance(modules[0], dict) else dict(enumerate(modules))
        for name, module in named.items():
            self.add_module(str(name), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        modules = list(self._modules.values())[index]
        return type(self)(*modules) if isinstance(index, slice) else modules


class ReLU(Module):
    """The positive part of each element (torch.nn.ReLU)."""

    def forward(self, input: Tensor) -> Any:
        return o.relu(input)


class Tanh(Module):
    """The hyperbolic tangent of each element (torch.nn.Tanh)."""

    def forward(self, input: Tensor) -> Any:
        return o.tanh(input)


class Sigmoid(Module):
    """The logistic function of each element (torch.nn.Sigmoid)."""

    def forward(self, input: Tensor) -> Any:
        return o.sigmoid(input)


class Softplus(Module):
    """``log(1 + exp(beta * x)) / beta``, linear above the threshold (torch.nn.Softplus)."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        return pointwise.softplus(input, self.beta, self.threshold)
