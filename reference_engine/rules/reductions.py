"""Derivatives of reductions and of what runs along a dimension."""

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.aliases import Array
from .families import linear, others, reduction, spread, zero_like

RULES = [
    linear(o.sum, lambda g, x, dim, keepdim: spread(g, x.shape, dim, keepdim)),
    linear(o.mean, lambda g, x, dim, keepdim: spread(g, x.shape, dim, keepdim) / count(x.shape, dim)),
    linear(o.cumsum, lambda g, dim: backward_sum(g, dim)),
    reduction(o.prod, lambda x, dim: product_of_others(x, dim)),  # finite at zeros
    reduction(o.amax, lambda z, x, dim: shares(o.eq(x, z), x, dim)),  # ties share equally
    reduction(o.amin, lambda z, x, dim: shares(o.eq(x, z), x, dim)),
    *(reduction(choosing, lambda z, x: shares(same(x, z), x, None)) for choosing in (o.max_all, o.min_all)),
    reduction(o.logsumexp, lambda z, x: o.exp(x - z)),
    reduction(o.var, lambda x, dim, correction: 2 * away(x, dim) / degrees(x, dim, correction)),
    reduction(
        o.std,
        lambda z, x, dim, correction: o.where(o.eq(z, 0), 0.0, away(x, dim) / (safe(z) * degrees(x, dim, correction))),
    ),  # zero where all elements are equal
    reduction(o.norm, lambda z, x, p, dim: slope_of_norm(z, x, p, dim)),
    others(
        o.cumprod,
        [lambda g, x, dim: along(g, x, dim, pull_products)],
        [lambda t, x, dim: along(t, x, dim, push_products)],
    ),
    others(
        o.softmax,
        [lambda g, z, dim: z * (g - o.sum(g * z, dim=dim, keepdim=True))],
        [lambda t, z, dim: z * (t - o.sum(t * z, dim=dim, keepdim=True))],
    ),
    others(
        o.log_softmax,
        [lambda g, z, dim: g - o.exp(z) * o.sum(g, dim=dim, keepdim=True)],
        [lambda t, z, dim: t - o.sum(o.exp(z) * t, dim=dim, keepdim=True)],
    ),
]


def backward_sum(x: Array, dim: int) -> Any:
    """The running sum from the end."""
    return o.flip(o.cumsum(o.flip(x, dim=dim), dim=dim), dim=dim)


def count(shape: Any, dim: Any) -> Any:
    """Number of elements that each element of the result is computed from."""
    dims = range(len(shape)) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    return math.prod(shape[d] for d in dims) if shape else 1


def shares(chosen: Array, x: Array, dim: Any) -> Any:
    """One, divided equally among the chosen elements along the dimensions."""
    chosen = o.overwrite(o.zero(x), chosen)
    return chosen / o.sum(chosen, dim=dim, keepdim=True)


def product_of_others(x: Array, dim: Any) -> Any:
    """For each element the product of all others along the dimension, with no division, so that zeros do no harm."""
    if dim is None or not x.shape:
        flat = o.reshape(x, shape=(-1,))
        return o.reshape(product_of_others(flat, 0), shape=x.shape) if dim is None or x.shape else zero_like(x) + 1
    before = o.cumprod(shifted(x, dim), dim=dim)
    after = o.cumprod(shifted(o.flip(x, dim=dim), dim), dim=dim)
    return before * o.flip(after, dim=dim)


def shifted(x: Array, dim: int) -> Any:
    """One in front, and the last element gone."""
    first = (slice(None),) * dim + (slice(0, 1),)
    return o.index_put(o.roll(x, shifts=(1,), dims=(dim,)), 1.0, index=first, accumulate=False)


def along(g: Array, x: Array, dim: int, scan: Any) -> Any:
    """The columns of g and x along a dimension put through a scan, and together again."""
    if not x.shape:
        return g
    if not x.shape[dim]:
        return zero_like(x)
    every = [(slice(None),) * dim + (i,) for i in range(x.shape[dim])]
    return o.stack(*scan([o.slice(g, index=i) for i in every], [o.slice(x, index=i) for i in every]), dim=dim)


def push_products(ts: list[Any], xs: list[Any]) -> list[Any]:
    """The product rule from each product to the next, with no division, so that zeros do no harm."""
    z, dz, pushed = 1.0, 0.0, []
    for t, x in zip(ts, xs, strict=True):
        z, dz = z * x, dz * x + z * t
        pushed.append(dz)
    return pushed


def pull_products(gs: list[Any], xs: list[Any]) -> list[Any]:
    """The transpose of `push_products`: the same way back."""
    before = [1.0]
    for x in xs[:-1]:
        before.append(before[-1] * o.conj(x))
    h, pulled = 0.0, []
    for g, x, z in zip(gs[::-1], [1.0, *xs[:0:-1]], before[::-1], strict=True):
        h = g + o.conj(x) * h
        pulled.append(h * z)
    return pulled[::-1]


def away(x: Array, dim: Any) -> Any:
    """The distance of each element from the mean, conjugated."""
    return o.conj(x - o.mean(x, dim=dim, keepdim=True))


def degrees(x: Array, dim: Any, correction: Any) -> Any:
    """The degrees of freedom of a variance; as an array, since a Python number cannot be divided by zero."""
    return np.asarray(float(count(x.shape, dim) - correction))


def slope_of_norm(z: Array, x: Array, p: float, dim: Any) -> Any:
    """The partial derivatives of a p-norm; zero at zero, and at infinity shared equally by the largest."""
    if p == 0:
        return zero_like(x)
    if p == 1:
        return o.conj(o.sgn(x))
    if p == 2:
        return o.where(o.eq(z, 0), 0.0, o.conj(x) / z)
    if math.isinf(p):
        return o.conj(o.sgn(x)) * shares(same(o.abs(x), z), o.abs(x), dim)
    direction = o.conj(x) * o.pow(o.abs(x), p - 2) if p > 2 else o.conj(o.sgn(x)) * o.pow(safe(o.abs(x)), p - 1)
    return o.where(o.eq(z, 0), 0.0, direction / o.pow(safe(z), p - 1))


def safe(x: Array) -> Any:
    """One where x is zero: what is chosen away there must not be infinite, or zero times it would be NaN."""
    return o.where(o.eq(x, 0), 1.0, x)


def same(x: Array, z: Array) -> Any:
    """Where two are equal, or both are NaN."""
    return o.logical_or(o.eq(x, z), o.logical_and(o.ne(x, x), o.ne(z, z)))
