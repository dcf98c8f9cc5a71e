"""What is made of sorting, choosing and storing: quantiles, reductions by index, distances, trapezoids."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import one_dim, overridable
from .indexing import put_along
from .norms import vector_norm
from .ordering import ValuesAndIndices, sort
from .pointwise import lerp

__all__ = [
    "cdist", "cov", "cumulative_trapezoid", "nanmedian", "nanquantile", "pairwise_distance", "pdist", "put", "quantile",
    "renorm", "scatter_reduce", "trapezoid", "trapz",
]  # fmt: skip


@overridable
def quantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """The value below which a part q of the elements lies, between two in proportion (torch.quantile).

    NaN if there is one. The gradient goes to the elements between which the value lies. `interpolation` may also be
    lower, higher, nearest or midpoint.
    """
    return _quantile(input, q, dim, keepdim, interpolation, ignore=False)


@overridable
def nanquantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """`quantile` of what is not NaN (torch.nanquantile)."""
    return _quantile(input, q, dim, keepdim, interpolation, ignore=True)


def _quantile(x: Tensor, q: Any, dim: int | None, keepdim: bool, how: str, ignore: bool) -> Tensor:
    parts = np.atleast_1d(q.array if isinstance(q, Tensor) else q)
    if np.any((parts < 0) | (parts > 1)):
        raise RuntimeError(f"quantile() q values must be in the range [0, 1], but got {parts.tolist()}")
    if not x.array.size:
        raise RuntimeError(f"quantile() input tensor must be non-empty, but has shape {list(x.shape)}")
    wide = o.reshape(x, shape=(-1,)) if dim is None else x
    axis = 0 if dim is None else one_dim(x.ndim, dim)
    rows = o.permute(wide, dims=(*(d for d in range(wide.ndim) if d != axis), axis))
    values = _at(sort(rows, -1).values, parts, how, ignore)
    kept = (1,) * x.ndim if dim is None else tuple(1 if d == axis else n for d, n in enumerate(x.shape))
    shape = kept if keepdim else tuple(rows.shape)[:-1]
    results = [o.reshape(o.slice(values, index=(..., i)), shape=shape) for i in range(len(parts))]
    return results[0] if not getattr(q, "ndim", 0) else o.stack(*results, dim=0)


def _at(ordered: Tensor, parts: Any, how: str, ignore: bool) -> Tensor:
    """Between the ordered elements of each row, at each of the parts."""
    missing = np.isnan(ordered.array)
    count = (~missing).sum(-1, keepdims=True) if ignore else ordered.shape[-1]
    place = parts * np.maximum(count - 1, 0) * np.ones((*ordered.shape[:-1], 1))
    if not ignore:
        place = np.where(missing.any(-1, keepdims=True), ordered.shape[-1] - 1, place)
    rounded: Any = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}.get(how)
    place = place if rounded is None else rounded(place)
    low = np.floor(place).astype(np.int64)
    high = np.ceil(place).astype(np.int64)
    weight = np.full(place.shape, 0.5) * (high != low) if how == "midpoint" else place - low
    below, above = (o.gather(ordered, index=i, dim=ordered.ndim - 1) for i in (low, high))
    return lerp(below, above, Tensor.of(weight.astype(ordered.array.dtype)))


@overridable
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median of what is not NaN, of two the lower; along a dimension with indices (torch.nanmedian)."""
    if dim is None:
        numbers = np.flatnonzero(~np.isnan(input.array))
        return o.median_all(o.index(o.reshape(input, shape=(-1,)), index=(numbers,)))
    ordered = sort(input, dim)
    count = (~np.isnan(ordered.values.array)).sum(dim, keepdims=True)
    middle = np.maximum(count - 1, 0) // 2
    axis = one_dim(input.ndim, dim)
    values, places = (o.gather(v, index=middle, dim=axis) for v in ordered)
    ends = (values, places) if keepdim else (o.squeeze(v, dim=(axis,)) for v in (values, places))
    return ValuesAndIndices(*ends)


_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


@overridable
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """A copy in which what an index brings to one place is summed, multiplied, ... with what is there.

    `reduce` is sum, prod, mean, amax or amin; without `include_self` what is there does not count. Ties of amax and
    amin share the gradient equally (torch.Tensor.scatter_reduce). RuntimeError for another name.
    """
    if reduce not in _REDUCTIONS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if not include_self:
        input = put_along(o.scatter, input, dim, index, _NEUTRAL[reduce](input.array.dtype), False)
    if reduce in ("sum", "mean"):
        total = put_along(o.put_along, input, dim, index, src, True)
        return total if reduce == "sum" else o.div(total, _counts(input, dim, index, int(include_self)))
    return put_along(o.scatter_prod if reduce == "prod" else o.scatter_extreme, input, dim, index, src, reduce)


_NEUTRAL: dict[str, Any] = {
    "sum": lambda dtype: 0, "mean": lambda dtype: 0, "prod": lambda dtype: 1, "amax": lambda dtype: -math.inf,
    "amin": lambda dtype: math.inf,
}  # fmt: skip


def _counts(x: Tensor, dim: int, index: Tensor, own: int) -> Tensor:
    """How many values come together at each place."""
    start = Tensor.of(np.full(x.array.shape, own, x.array.dtype))
    ones = Tensor.of(np.ones(index.array.shape, x.array.dtype))
    return o.clamp(put_along(o.put_along, start, dim, index, ones, True), min=1, max=None)


@overridable
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """A copy with values stored, or added, by the number of elements in order (torch.Tensor.put)."""
    flat = o.reshape(input, shape=(-1,))
    values, where = o.reshape(source, shape=index.array.shape), (index.array.copy(),)
    stored = o.index_put(flat, values, index=where, accumulate=accumulate)
    return o.reshape(stored, shape=tuple(input.shape))


@overridable
def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Slices along a dimension scaled down to a greatest p-norm, smaller ones as they are (torch.renorm)."""
    others = tuple(d for d in range(input.ndim) if d != one_dim(input.ndim, dim))
    lengths = vector_norm(input, p, others, True)
    scale = o.where(o.gt(lengths, maxnorm), o.div(maxnorm, o.add(lengths, 1e-7)), 1.0)
    return o.mul(input, scale)


@overridable
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all rows of two; the gradient is zero at distance zero (torch.cdist)."""
    return vector_norm(o.sub(o.unsqueeze(x1, dim=-2), o.unsqueeze(x2, dim=-3)), p, -1)


@overridable
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all pairs of rows; gradient zero at distance zero (torch.pdist)."""
    first, second = np.triu_indices(input.shape[0], 1)
    return vector_norm(o.sub(o.index(input, index=(first,)), o.index(input, index=(second,))), p, -1)


@overridable
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of each difference of two rows, with eps added (torch.nn.functional.pairwise_distance)."""
    return vector_norm(o.add(o.sub(x1, x2), eps), p, -1, keepdim)


def _strips(y: Tensor, x: Any, dx: float, dim: int) -> Tensor:
    """The area over each step."""
    heights = o.add(*_neighbours(y, dim))
    if x is None:
        return o.mul(heights, dx / 2)
    along = 0 if x.ndim == 1 else dim
    return o.mul(heights, o.div(o.sub(*_neighbours(x, along)), 2))


def _neighbours(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """All elements along a dimension but the first, and all but the last."""
    front = (slice(None),) * one_dim(x.ndim, dim)
    return o.slice(x, index=(*front, slice(1, None))), o.slice(x, index=(*front, slice(None, -1)))


@overridable
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The area under a broken line along a dimension (torch.trapezoid)."""
    return o.sum(_strips(y, x, dx, dim), dim=one_dim(y.ndim, dim), keepdim=False)


trapz = trapezoid


@overridable
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The area so far (torch.cumulative_trapezoid)."""
    return o.cumsum(_strips(y, x, dx, dim), dim=one_dim(y.ndim, dim))


@overridable
def cov(input: Tensor, *, correction: int = 1) -> Tensor:
    """The covariances of the rows (torch.cov)."""
    rows = o.reshape(input, shape=(1, -1)) if input.ndim < 2 else input
    away = o.sub(rows, o.mean(rows, dim=1, keepdim=True))
    result = o.div(o.mm(away, o.conj(o.t(away))), max(rows.shape[1] - correction, 0))
    return result if input.ndim > 1 else o.reshape(result, shape=())
