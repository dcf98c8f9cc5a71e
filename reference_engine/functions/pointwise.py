"""Functions of elements: arithmetic, comparison, elementary functions, choice, complex parts."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

from .. import primitives as o
from ..batching.per_example import copy_index
from ..core.tensor import Tensor


def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input + alpha * other``, broadcast (torch.add)."""
    return o.add(input, other if alpha == 1 else o.mul(other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input - alpha * other``, broadcast (torch.sub)."""
    return o.sub(input, other if alpha == 1 else o.mul(other, alpha))


def square(input: Tensor) -> Tensor:
    """The square of each element (torch.square)."""
    return o.pow(input, 2)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element, but not below `min` nor above `max`; the gradient at a bound is zero (torch.clamp).

    Bounds may be numbers or tensors, and broadcast; a tensor has half of the gradient of what is equal to it.
    """
    # Numbers have no gradient, so they are options; tensors are arguments of other primitives.
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return o.clamp(input, min=min, max=max)
    if min is None or max is None:
        return o.clamp_max(input, max) if min is None else o.clamp_min(input, min)
    return o.clamp_between(input, min, max)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and x itself above the threshold (torch.nn.functional.softplus)."""
    return o.softplus(input, beta=beta, threshold=threshold)


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor itself (torch.conj)."""
    # A real tensor is returned itself: PyTorch promises no copy, and records nothing.
    return o.conj(input) if input.dtype.is_complex else input


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugates are computed at once here (torch.resolve_conj)."""
    return input


def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones along a new last dimension, a view (torch.view_as_real)."""
    return o.view_as_real(input)


def real(input: Tensor) -> Tensor:
    """The real part, a view; a real tensor itself (torch.real)."""
    return o.real(input) if input.dtype.is_complex else input


def imag(input: Tensor) -> Tensor:
    """The imaginary part, a view; RuntimeError for real tensors (torch.imag)."""
    if not input.dtype.is_complex:
        raise RuntimeError(f"imag is not implemented for tensors with non-complex dtypes, but got {input.dtype}")
    return o.imag(input)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value` where the mask holds, the input elsewhere (torch.Tensor.masked_fill)."""
    return o.masked_fill(input, value, mask=copy_index(mask))


def fmax(input: Tensor, other: Tensor) -> Tensor:
    """The greater of two elements, or the element that is not NaN (torch.fmax); ties share the gradient equally."""
    # Each NaN is replaced by the other element, so it is a tie, and both NaN stay NaN.
    return o.maximum(o.where(o.isnan(input), other, input), o.where(o.isnan(other), input, other))


def fmin(input: Tensor, other: Tensor) -> Tensor:
    """The lesser of two elements, or the element that is not NaN (torch.fmin); ties share the gradient equally."""
    return o.minimum(o.where(o.isnan(input), other, input), o.where(o.isnan(other), input, other))
