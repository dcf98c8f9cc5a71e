"""Functions along dimensions: sums, extremes, norms, sorting."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import primitives as o
from ..core import dtypes
from ..core.tensor import Tensor
from .calling import dims, one_dim, overridable, tensor_argument

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "cumsum", "log_softmax", "logsumexp", "max", "mean",
    "min", "norm", "prod", "softmax", "sort", "std", "sum", "var",
]  # fmt: skip

Dim = Any


class ValuesAndIndices(NamedTuple):
    """What functions that choose elements return: the chosen ones, and where they were."""

    values: Tensor
    indices: Tensor


def _converted(x: Tensor, dtype: dtypes.dtype | None) -> Tensor:
    return x if dtype is None else o.cast(x, dtype=dtype.numpy)


@overridable
def sum(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The sum of all elements, or along dimensions; integers add up as int64 (torch.sum)."""
    x = _converted(tensor_argument("sum", input), dtype)
    return o.sum(x, dim=dims(x, dim), keepdim=keepdim)


@overridable
def mean(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The mean; RuntimeError for integers, whose mean is no integer (torch.mean)."""
    x = _converted(tensor_argument("mean", input), dtype)
    if not x.dtype.differentiable:
        raise RuntimeError(
            f"mean(): could not infer output dtype: the input must be floating or complex, but got {x.dtype}"
        )
    return o.mean(x, dim=dims(x, dim), keepdim=keepdim)


@overridable
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The product of all elements, or along a dimension (torch.prod)."""
    return o.prod(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def amax(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The maximum along dimensions; ties share the gradient equally (torch.amax)."""
    return o.amax(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def amin(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The minimum along dimensions; ties share the gradient equally (torch.amin)."""
    return o.amin(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The maximum: of all elements, of two tensors, or along a dimension with indices (torch.max).

    Ties: of all elements, shared equally; along a dimension, to the element that the index names.
    """
    if isinstance(dim, Tensor):
        return o.maximum(input, dim)
    if dim is None:
        return o.max_all(input)
    return _chosen(o.chosen_max, input, np.argmax, dim, keepdim)


@overridable
def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The minimum: of all elements, of two tensors, or along a dimension with indices (torch.min)."""
    if isinstance(dim, Tensor):
        return o.minimum(input, dim)
    if dim is None:
        return o.min_all(input)
    return _chosen(o.chosen_min, input, np.argmin, dim, keepdim)


def _chosen(primitive: Any, x: Tensor, choose: Any, dim: int, keepdim: bool) -> ValuesAndIndices:
    dim = one_dim(x.ndim, dim)
    if not x.ndim:
        return ValuesAndIndices(o.clone(x), Tensor.of(np.asarray(0)))
    where = np.expand_dims(choose(x.array, axis=dim), dim)
    values = primitive(x, index=where, dim=dim, keepdim=keepdim)
    return ValuesAndIndices(values, Tensor.of(where if keepdim else np.squeeze(where, dim)))


@overridable
def sort(input: Tensor, dim: int = -1, descending: bool = False) -> ValuesAndIndices:
    """The elements in order along a dimension, ties in their first order, with indices (torch.sort)."""
    dim = one_dim(input.ndim, dim)
    order = np.argsort(-input.array if descending else input.array, axis=dim, kind="stable")
    return ValuesAndIndices(o.chosen_sort(input, index=order, dim=dim), Tensor.of(order))


@overridable
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Where the maximum is; the first of ties (torch.argmax)."""
    return o.argmax(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Where the minimum is; the first of ties (torch.argmin)."""
    return o.argmin(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def cumsum(input: Tensor, dim: int) -> Tensor:
    """The running sum along a dimension (torch.cumsum)."""
    return o.cumsum(input, dim=one_dim(input.ndim, dim))


@overridable
def logsumexp(input: Tensor, dim: Dim, keepdim: bool = False) -> Tensor:
    """``log(sum(exp(x)))`` along dimensions, without overflow (torch.logsumexp)."""
    return o.logsumexp(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def softmax(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """Positive numbers in proportion to ``exp(x)`` that sum to one along a dimension (torch.softmax)."""
    return o.softmax(_converted(input, dtype), dim=one_dim(input.ndim, dim))


@overridable
def log_softmax(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The logarithm of softmax, computed without overflow (torch.log_softmax)."""
    return o.log_softmax(_converted(input, dtype), dim=one_dim(input.ndim, dim))


@overridable
def norm(input: Tensor, p: Any = 2, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The 2-norm along dimensions, with gradient zero at zero; also p = 1 and infinity (torch.norm)."""
    axes = dims(input, dim)
    if p in (1, float("inf")):
        reduce = sum if p == 1 else amax
        return reduce(o.abs(input), axes, keepdim)
    if p not in (2, "fro", None):
        raise NotImplementedError(f"norm is implemented for p = 1, 2 and inf, but got p={p!r}")
    return o.norm(input, dim=axes, keepdim=keepdim)


@overridable
def var(input: Tensor, dim: Dim = None, keepdim: bool = False, *, correction: float = 1) -> Tensor:
    """The variance, divided by the count less `correction` (torch.var)."""
    axes = dims(input, dim)
    away = input - o.mean(input, dim=axes, keepdim=True)
    total = o.sum(o.real(away * o.conj(away)) if input.dtype.is_complex else away * away, dim=axes, keepdim=keepdim)
    return total / (input.numel() // total.numel() - correction)


@overridable
def std(input: Tensor, dim: Dim = None, keepdim: bool = False, *, correction: float = 1) -> Tensor:
    """The square root of the variance (torch.std)."""
    return o.sqrt(var(input, dim, keepdim, correction=correction))


@overridable
def all(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether every element is true (torch.all)."""
    return o.all(input, dim=dims(input, dim), keepdim=keepdim)


@overridable
def any(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether some element is true (torch.any)."""
    return o.any(input, dim=dims(input, dim), keepdim=keepdim)
