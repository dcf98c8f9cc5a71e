"""Derivatives of products of vectors and matrices, and of what solves equations in them."""

from typing import Any

from .. import primitives as o
from ..core.dtypes import Array
from .families import bilinear, others


def T(x: Array) -> Any:
    """The conjugate transpose of the last two dimensions."""
    return o.conj(o.transpose(x, dim0=-2, dim1=-1))


def outer(x: Array, y: Array) -> Any:
    """The products of every element of x with every element of y, conjugated."""
    return o.unsqueeze(x, dim=1) * o.conj(o.unsqueeze(y, dim=0))


bilinear(o.dot, lambda g, y: g * o.conj(y), lambda g, x: g * o.conj(x))
bilinear(o.mv, lambda g, y: outer(g, y), lambda g, x: o.mv(T(x), g))
bilinear(o.mm, lambda g, y: o.mm(g, T(y)), lambda g, x: o.mm(T(x), g))
bilinear(o.bmm, lambda g, y: o.bmm(g, T(y)), lambda g, x: o.bmm(T(x), g))
others(o.inverse, [lambda g, z: -o.bmm(o.bmm(T(z), g), T(z))], [lambda t, z: -o.bmm(o.bmm(z, t), z)])


def columns(y: Array) -> Any:
    """A vector as a matrix of one column, so that solve has one rule."""
    return o.unsqueeze(y, dim=-1) if y.ndim == 1 else y


others(
    o.solve,
    [
        lambda g, z, x: -o.bmm(columns(o.solve(T(x), g)), T(columns(z))),
        lambda g, x: o.solve(T(x), g),
    ],
    [
        lambda t, z, x: -o.solve(x, o.reshape(o.bmm(t, columns(z)), shape=z.shape)),
        lambda t, x: o.solve(x, t),
    ],
)
others(
    o.det,
    [lambda g, z, x: matrixwise(g * o.conj(z)) * T(o.inverse(x))],
    [lambda t, z, x: z * o.sum(o.transpose(o.inverse(x), dim0=-2, dim1=-1) * t, dim=(-2, -1), keepdim=False)],
)


def matrixwise(z: Array) -> Any:
    """A number per matrix, as one that multiplies the whole matrix."""
    return o.reshape(z, shape=(*z.shape, 1, 1))
