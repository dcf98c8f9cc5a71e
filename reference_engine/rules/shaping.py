"""Transposes of the operations that move elements."""

from typing import Any

import numpy as np

from .. import primitives as o
from .families import linear

RULES = [
    linear(o.view, lambda g, x: o.reshape(g, shape=x.shape)),
    linear(o.reshape, lambda g, x: o.reshape(g, shape=x.shape)),
    linear(o.permute, lambda g, dims: o.permute(g, dims=inverse(dims))),
    linear(o.transpose, lambda g, dim0, dim1: o.transpose(g, dim0=dim0, dim1=dim1)),
    linear(o.t, lambda g: o.t(g)),
    linear(o.expand, lambda g: g),  # the repeated parts are summed when the cotangent conforms to x
    linear(o.squeeze, lambda g, x: o.reshape(g, shape=x.shape)),
    linear(o.unsqueeze, lambda g, x: o.reshape(g, shape=x.shape)),
    linear(o.flip, lambda g, dim: o.flip(g, dim=dim)),
    linear(o.roll, lambda g, shifts, dims: o.roll(g, shifts=tuple(-s for s in shifts), dims=dims)),
    linear(o.tril, lambda g, diagonal: o.tril(g, diagonal=diagonal)),
    linear(o.triu, lambda g, diagonal: o.triu(g, diagonal=diagonal)),
    linear(o.cat, lambda g, i, xs, dim: o.slice(g, index=ith_piece(i, xs, dim))),
    linear(o.stack, lambda g, i, dim: o.slice(g, index=(slice(None),) * dim + (i,))),
    *(
        linear(looking, lambda g, x, index: o.embed(g, index=index, shape=x.shape))
        for looking in (o.slice, o.unbind, o.split)
    ),
    linear(o.embed, lambda g, index: o.slice(g, index=index)),
    linear(
        o.diagonal,
        lambda g, x, offset, dim1, dim2: o.diagonal_backward(g, offset=offset, dim1=dim1, dim2=dim2, shape=x.shape),
    ),
    linear(o.diagonal_backward, lambda g, offset, dim1, dim2: o.diagonal(g, offset=offset, dim1=dim1, dim2=dim2)),
]


def inverse(dims: Any) -> Any:
    """The permutation that undoes another."""
    return tuple(int(d) for d in np.argsort(dims))


def ith_piece(i: Any, xs: Any, dim: Any) -> Any:
    """The index of the i-th piece of several that were joined along a dimension."""
    start = sum(x.shape[dim] for x in xs[:i])
    return (slice(None),) * dim + (slice(start, start + xs[i].shape[dim]),)
