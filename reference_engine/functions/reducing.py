"""Functions along dimensions: sums, extremes, norms, sorting."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from .. import primitives as o
from ..core import dtypes
from ..core.aliases import Axes
from ..core.tensor import Tensor
from .calling import dims, filled, one_dim


def _converted(x: Tensor, dtype: dtypes.dtype | None) -> Tensor:
    return x if dtype is None else o.cast(x, dtype=dtype.numpy)


def sum(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The sum of all elements, or along dimensions; integers add up as int64 (torch.sum)."""
    x = _converted(input, dtype)
    return o.sum(x, dim=dims(x, dim), keepdim=keepdim)


def mean(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The mean; RuntimeError for integers, whose mean is no integer (torch.mean)."""
    x = _converted(input, dtype)
    if not x.dtype.differentiable:
        raise RuntimeError(
            f"mean(): could not infer output dtype: the input must be floating or complex, but got {x.dtype}"
        )
    return o.mean(x, dim=dims(x, dim), keepdim=keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The product of all elements, or along a dimension; integers multiply as int64 (torch.prod)."""
    if isinstance(dim, (tuple, list)):
        raise TypeError(f"prod(): argument 'dim' must be int, not {type(dim).__name__}: multiply along one at a time")
    return o.prod(_converted(input, dtype), dim=dims(input, dim), keepdim=keepdim)


def nansum(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The sum of what is not NaN (torch.nansum)."""
    return sum(o.where(o.isnan(input), 0, input), dim, keepdim, dtype=dtype)


def nanmean(input: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The mean of what is not NaN (torch.nanmean)."""
    return nansum(input, dim, keepdim, dtype=dtype) / sum(o.logical_not(o.isnan(input)), dim, keepdim)


def count_nonzero(input: Tensor, dim: Axes = None) -> Tensor:
    """How many elements are not zero, of all or along dimensions (torch.count_nonzero)."""
    return sum(o.ne(input, 0), dim)


def amax(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """The maximum along dimensions; ties share the gradient equally (torch.amax)."""
    return o.amax(input, dim=filled("amax", input, dim), keepdim=keepdim)


def amin(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """The minimum along dimensions; ties share the gradient equally (torch.amin)."""
    return o.amin(input, dim=filled("amin", input, dim), keepdim=keepdim)


def cumsum(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The running sum along a dimension (torch.cumsum)."""
    return o.cumsum(_converted(input, dtype), dim=one_dim(input.ndim, dim))


def cumprod(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The running product along a dimension; its gradient is right at zeros too (torch.cumprod)."""
    return o.cumprod(_converted(input, dtype), dim=one_dim(input.ndim, dim))


def logsumexp(input: Tensor, dim: Axes, keepdim: bool = False) -> Tensor:
    """``log(sum(exp(x)))`` along dimensions, without overflow (torch.logsumexp)."""
    return o.logsumexp(input, dim=dims(input, dim), keepdim=keepdim)


def softmax(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """Positive numbers in proportion to ``exp(x)`` that sum to one along a dimension (torch.softmax)."""
    return o.softmax(_converted(input, dtype), dim=one_dim(input.ndim, dim))


def log_softmax(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """The logarithm of softmax, computed without overflow (torch.log_softmax)."""
    return o.log_softmax(_converted(input, dtype), dim=one_dim(input.ndim, dim))


def all(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """Whether every element is true (torch.all)."""
    return o.all(input, dim=dims(input, dim), keepdim=keepdim)


def any(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """Whether some element is true (torch.any)."""
    return o.any(input, dim=dims(input, dim), keepdim=keepdim)
