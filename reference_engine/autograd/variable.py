"""Variable, the wrapper that tensors replaced in PyTorch 0.4, as it still answers."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core.tensor import Tensor
from ..functions.creation import tensor


class _VariableMeta(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor)


class Variable(metaclass=_VariableMeta):
    """``Variable(t)`` returns a Tensor, and every Tensor is an instance (torch.autograd, Variable (deprecated))."""

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Any:
        source = data.alias() if isinstance(data, Tensor) else tensor([] if data is None else data)
        return source.requires_grad_() if requires_grad else source


def variable(*args: Any, **options: Any) -> NoReturn:
    """Raises RuntimeError: the old constructor function is gone."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")
