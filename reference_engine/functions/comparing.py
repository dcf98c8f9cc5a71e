"""Questions about elements, and logic: what has no derivative. Results are bool, except those of bitwise functions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from .. import primitives as o
from ..batching.per_example import as_tensor, each
from ..core.tensor import Tensor
from .arranging import broadcast_tensors


def invert(x: Tensor) -> Tensor:
    """``~x``; TypeError unless bool or integer, which have bits."""
    if x.dtype.differentiable:
        raise TypeError(f"~ (operator.invert) is only implemented on integer and Boolean-type tensors, not {x.dtype}")
    return o.bitwise_not(x)


def _same_dtype(name: str, x: Tensor, y: Tensor) -> None:
    if x.dtype is not y.dtype:
        raise RuntimeError(f"{name}: Expected both tensors to have the same dtype, but got {x.dtype} and {y.dtype}")


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether ``abs(input - other) <= atol + rtol * abs(other)``, or both are equal (torch.isclose)."""
    _same_dtype("isclose", input, other)
    input, other = broadcast_tensors(input, other)
    return as_tensor(each(lambda a, b: np.isclose(a, b, rtol, atol, equal_nan), input, other))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are as good as equal (torch.allclose). RuntimeError if dtypes differ."""
    _same_dtype("allclose", input, other)
    return bool(isclose(input, other, rtol, atol, equal_nan).array.all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements (torch.equal)."""
    return np.array_equal(input.array, other.array)


def searchsorted(sorted_sequence: Tensor, input: Tensor) -> Tensor:
    """Where values would go in a sorted vector, each before its equals (torch.searchsorted)."""
    return Tensor.of(np.searchsorted(sorted_sequence.array, input.array))
