"""Derivatives of reductions and of what runs along a dimension."""

import math
from typing import Any

from .. import primitives as o
from ..core.dtypes import Array
from .families import linear, others, reduction, spread

linear(o.sum, lambda g, x, dim, keepdim: spread(g, x.shape, dim, keepdim))
linear(o.mean, lambda g, x, dim, keepdim: spread(g, x.shape, dim, keepdim) / count(x.shape, dim))
linear(o.cumsum, lambda g, dim: o.flip(o.cumsum(o.flip(g, dim=dim), dim=dim), dim=dim))
reduction(o.prod, lambda x, dim: product_of_others(x, dim))  # finite at zeros
reduction(o.amax, lambda z, x, dim: shares(o.eq(x, z), x, dim))  # ties share equally
reduction(o.amin, lambda z, x, dim: shares(o.eq(x, z), x, dim))
reduction(o.max_all, lambda z, x: shares(o.eq(x, z), x, None))
reduction(o.min_all, lambda z, x: shares(o.eq(x, z), x, None))
reduction(o.logsumexp, lambda z, x: o.exp(x - z))
reduction(o.norm, lambda z, x: o.where(o.eq(z, 0), 0.0, o.conj(x) / z))  # zero at zero
others(
    o.softmax,
    [lambda g, z, dim: z * (g - o.sum(g * z, dim=dim, keepdim=True))],
    [lambda t, z, dim: z * (t - o.sum(t * z, dim=dim, keepdim=True))],
)
others(
    o.log_softmax,
    [lambda g, z, dim: g - o.exp(z) * o.sum(g, dim=dim, keepdim=True)],
    [lambda t, z, dim: t - o.sum(o.exp(z) * t, dim=dim, keepdim=True)],
)


def count(shape: Any, dim: Any) -> Any:
    """How many elements each element of the result is computed from."""
    dims = range(len(shape)) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    return math.prod(shape[d] for d in dims) if shape else 1


def shares(chosen: Array, x: Array, dim: Any) -> Any:
    """One, divided equally among the chosen elements along the dimensions."""
    chosen = o.overwrite(o.zero(x), chosen)
    return chosen / o.sum(chosen, dim=dim, keepdim=True)


def product_of_others(x: Array, dim: Any) -> Any:
    """For each element the product of all others along the dimension, with no division, so that zeros do no harm."""
    if dim is None:
        flat = o.reshape(x, shape=(-1,))
        return o.reshape(product_of_others(flat, 0), shape=x.shape)
    size = x.shape[dim] if x.shape else 1
    columns = [o.roll(x, shifts=(-i,), dims=(dim,)) for i in range(1, size)] if x.shape else []
    return o.prod(o.stack(*columns, dim=0), dim=0, keepdim=False) if columns else 0 * x + 1
