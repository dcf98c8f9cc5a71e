"""The layers of the founding documents."""

from __future__ import annotations

import math
from typing import Any

from ..core.tensor import Tensor
from ..functions.creation import zeros
from ..functions.products import linear
from . import init
from .module import Module
from .parameter import Parameter


class Linear(Module):
    """``x @ weight.T + bias``; both start uniform within ``1 / sqrt(in_features)`` (torch.nn.Linear)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None) -> None:
        super().__init__()
        self.weight = Parameter(zeros(out_features, in_features, dtype=dtype))
        self.register_parameter("bias", Parameter(zeros(out_features, dtype=dtype)) if bias else None)
        # The bound of kaiming_uniform_ with a = sqrt(5), computed in its order to round as it does.
        width = math.sqrt(3.0) * (math.sqrt(2.0 / 6.0) / math.sqrt(in_features)) if in_features else 0.0
        init.uniform_(self.weight, -width, width)
        if self.bias is not None:
            bound = 1 / math.sqrt(in_features) if in_features else 0.0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return linear(input, self.weight, self.bias)


class Sequential(Module):
    """A chain of modules (torch.nn.Sequential)."""

    def __init__(self, *modules: Module) -> None:
        super().__init__()
        for number, module in enumerate(modules):
            self.add_module(str(number), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input
