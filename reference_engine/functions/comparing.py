"""Questions about elements, and logic: what has no derivative. Results are bool, except those of bitwise functions."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.per_example import as_tensor, each
from ..core.tensor import Tensor
from .arranging import broadcast_tensors
from .calling import binary, overridable, unary

__all__ = [
    "allclose", "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "eq", "equal", "ge", "greater", "greater_equal", "gt", "isclose", "isfinite", "isinf", "isnan", "isneginf",
    "isposinf", "isreal", "le", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "lt",
    "ne", "not_equal", "signbit",
]  # fmt: skip

eq, ne, lt, le, gt, ge = map(binary, (o.eq, o.ne, o.lt, o.le, o.gt, o.ge))
not_equal, less, less_equal, greater, greater_equal = ne, lt, le, gt, ge
isnan, isinf, isfinite, signbit = map(unary, (o.isnan, o.isinf, o.isfinite, o.signbit))


def invert(x: Tensor) -> Tensor:
    """``~x``; TypeError unless bool or integer, which have bits."""
    if x.dtype.differentiable:
        raise TypeError(f"~ (operator.invert) is only implemented on integer and Boolean-type tensors, not {x.dtype}")
    return o.bitwise_not(x)


logical_not, bitwise_not = map(unary, (o.logical_not, o.bitwise_not))
logical_and, logical_or, logical_xor = map(binary, (o.logical_and, o.logical_or, o.logical_xor))
bitwise_and, bitwise_or, bitwise_xor = map(binary, (o.bitwise_and, o.bitwise_or, o.bitwise_xor))
bitwise_left_shift, bitwise_right_shift = map(binary, (o.bitwise_left_shift, o.bitwise_right_shift))


@overridable
def isposinf(input: Tensor) -> Tensor:
    """Whether each element is positive infinity (torch.isposinf)."""
    return o.eq(input, float("inf"))


@overridable
def isneginf(input: Tensor) -> Tensor:
    """Whether each element is negative infinity (torch.isneginf)."""
    return o.eq(input, float("-inf"))


@overridable
def isreal(input: Tensor) -> Tensor:
    """Whether each element has no imaginary part (torch.isreal)."""
    return as_tensor(each(np.isreal, input))


def _same_dtype(name: str, x: Tensor, y: Tensor) -> None:
    if x.dtype is not y.dtype:
        raise RuntimeError(f"{name}: Expected both tensors to have the same dtype, but got {x.dtype} and {y.dtype}")


@overridable
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether ``abs(input - other) <= atol + rtol * abs(other)``, or both are equal (torch.isclose)."""
    _same_dtype("isclose", input, other)
    input, other = broadcast_tensors(input, other)
    return as_tensor(each(lambda a, b: np.isclose(a, b, rtol, atol, equal_nan), input, other))


@overridable
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are as good as equal (torch.allclose). RuntimeError if dtypes differ."""
    _same_dtype("allclose", input, other)
    return bool(isclose(input, other, rtol, atol, equal_nan).array.all())


@overridable
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements (torch.equal)."""
    return np.array_equal(input.array, other.array)


def same_size(input: Tensor, other: Any) -> bool:
    """Whether two tensors have one shape (torch.Tensor.is_same_size)."""
    return input.array.shape == other.array.shape
