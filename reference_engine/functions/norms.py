"""Lengths of vectors and matrices, and how far values are spread."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import dtypes
from ..core.aliases import Axes
from ..core.tensor import Tensor
from .calling import dims
from .decomposing import svdvals


def _lengths(name: str, x: Tensor, dtype: dtypes.dtype | None) -> Tensor:
    """The tensor, whose elements must have an absolute value that is not an integer."""
    x = x if dtype is None else o.cast(x, dtype=dtype.numpy)
    if not x.dtype.differentiable:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {x.dtype}")
    return x


def vector_norm(x: Tensor, ord: float = 2, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """``sum(abs(x) ** ord) ** (1 / ord)`` along dimensions; of order 0 the count of what is not zero, of inf and -inf
    the greatest and least absolute value (torch.linalg.vector_norm).

    The gradient is zero where the norm is zero; ties of order inf and -inf share it equally.
    """
    x = _lengths("linalg.vector_norm", x, dtype)
    return o.norm(x, p=float(ord), dim=dims(x, dim), keepdim=keepdim)


def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A norm of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf or -inf (torch.linalg.matrix_norm)."""
    x = _lengths("linalg.matrix_norm", A, dtype)
    if x.ndim < 2:
        raise RuntimeError(f"linalg.matrix_norm: The input must have at least 2 dimensions, but has {x.ndim}")
    rows, columns = dims(x, tuple(dim))
    if ord == "fro":
        return o.norm(x, p=2.0, dim=(rows, columns), keepdim=keepdim)
    if ord in ("nuc", 2, -2):
        values = svdvals(o.permute(x, dims=(*(d for d in range(x.ndim) if d not in (rows, columns)), rows, columns)))
        reduce = o.sum if ord == "nuc" else o.amax if ord > 0 else o.amin
        result = reduce(values, dim=values.ndim - 1, keepdim=False)
        kept = tuple(1 if d in (rows, columns) else n for d, n in enumerate(x.shape))
        return o.reshape(result, shape=kept) if keepdim else result
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported; expected fro, nuc, 1, 2, inf or a negative")
    inner, outer = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = o.sum(o.abs(x), dim=inner, keepdim=True)
    result = (o.amax if ord > 0 else o.amin)(sums, dim=outer, keepdim=True)
    return result if keepdim else o.squeeze(result, dim=(rows, columns))


def norm(input: Tensor, p: Any = "fro", dim: Axes = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The norm of all elements as one vector, or along dimensions: see `linalg.vector_norm` (torch.norm)."""
    if p == "nuc":
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The norm of the difference (torch.dist)."""
    return norm(input - other, p)


def _correction(unbiased: bool | None, correction: Any) -> Any:
    if correction is not None:
        return correction
    return 1 if unbiased is None else int(unbiased)


def _spread(primitive: Any, x: Tensor, dim: Any, unbiased: Any, keepdim: bool, correction: Any) -> Tensor:
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if not x.dtype.differentiable:
        raise RuntimeError(f"std and var only support floating point and complex dtypes, but got {x.dtype}")
    return primitive(x, dim=dims(x, dim), keepdim=keepdim, correction=_correction(unbiased, correction))


def var(
    input: Tensor, dim: Axes = None, unbiased: Any = None, keepdim: bool = False, *, correction: float | None = None
) -> Tensor:
    """The variance: squared distances from the mean, divided by the count less `correction`, which is one unless
    given or ``unbiased=False`` (torch.var). NaN if nothing is left to divide by."""
    return _spread(o.var, input, dim, unbiased, keepdim, correction)


def std(
    input: Tensor, dim: Axes = None, unbiased: Any = None, keepdim: bool = False, *, correction: float | None = None
) -> Tensor:
    """The square root of the variance; its gradient is zero where all elements are equal (torch.std)."""
    return _spread(o.std, input, dim, unbiased, keepdim, correction)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all rows of two; the gradient is zero at distance zero (torch.cdist)."""
    return vector_norm(o.sub(o.unsqueeze(x1, dim=-2), o.unsqueeze(x2, dim=-3)), p, -1)


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all pairs of rows; gradient zero at distance zero (torch.pdist)."""
    first, second = np.triu_indices(input.shape[0], 1)
    return vector_norm(o.sub(o.index(input, index=(first,)), o.index(input, index=(second,))), p, -1)
