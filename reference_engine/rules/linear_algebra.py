"""Derivatives of products of vectors and matrices, and of what solves equations in them."""

from typing import Any

import numpy as np

from .. import primitives as o
from ..core.aliases import Array
from .families import bilinear, is_complex, others, zero_like

RULES = [
    bilinear(o.dot, lambda g, y: g * o.conj(y), lambda g, x: g * o.conj(x)),
    bilinear(o.mv, lambda g, y: outer(g, y), lambda g, x: o.mv(T(x), g)),
    bilinear(o.mm, lambda g, y: o.mm(g, T(y)), lambda g, x: o.mm(T(x), g)),
    bilinear(o.bmm, lambda g, y: o.bmm(g, T(y)), lambda g, x: o.bmm(T(x), g)),
    others(o.inverse, [lambda g, z: -o.bmm(o.bmm(T(z), g), T(z))], [lambda t, z: -o.bmm(o.bmm(z, t), z)]),
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
    ),
    others(  # of matrices without an inverse too
        o.det,
        [lambda g, x: matrixwise(g) * o.conj(o.cofactors(x))],
        [lambda t, x: total(o.cofactors(x) * t)],
    ),
    others(  # the second derivative of a determinant, which is symmetric
        o.cofactors,
        [lambda g, x: o.conj(push_cofactors(o.conj(g), x))],
        [lambda t, x: push_cofactors(t, x)],
    ),
    others(
        o.slogdet_log,  # without an inverse infinite, or an error
        [lambda g, x: matrixwise(g) * T(o.inverse(x))],
        [lambda t, x: o.real(trace_of_product(o.inverse(x), t))],
    ),
    others(
        o.slogdet_sign,  # constant for real matrices; for complex ones it turns
        [lambda g, z, x: matrixwise(o.imag(g * o.conj(z))) * 1j * T(o.inverse(x)) if is_complex(x) else zero_like(x)],
        [lambda t, z, x: 1j * z * o.imag(trace_of_product(o.inverse(x), t)) if is_complex(x) else zero_like(z)],
    ),
]


def T(x: Array) -> Any:
    """The conjugate transpose of the last two dimensions."""
    return o.conj(o.transpose(x, dim0=-2, dim1=-1))


def outer(x: Array, y: Array) -> Any:
    """The products of every element of x with every element of y, conjugated."""
    return o.unsqueeze(x, dim=1) * o.conj(o.unsqueeze(y, dim=0))


def columns(y: Array) -> Any:
    """A vector as a matrix with a single column, so that solve has a single rule."""
    return o.unsqueeze(y, dim=-1) if y.ndim == 1 else y


def matrixwise(z: Array) -> Any:
    """A number per matrix, in a shape that multiplies the whole matrix."""
    return o.reshape(z, shape=(*z.shape, 1, 1))


def flipped(x: Array) -> Any:
    """The transpose of the last two dimensions, not conjugated."""
    return o.transpose(x, dim0=-2, dim1=-1)


def total(x: Array) -> Any:
    """The sum of each matrix."""
    return o.sum(x, dim=(-2, -1), keepdim=False)


def trace_of_product(x: Array, y: Array) -> Any:
    """The trace of each product of two matrices."""
    return total(flipped(x) * y)


def push_cofactors(t: Array, x: Array) -> Any:
    """The tangent of the cofactors: each is the determinant of a minor, which needs no inverse."""
    n = x.shape[-1]
    if n < 2:
        return zero_like(t)
    return signs(n) * total(o.cofactors(minors(x)) * minors(t))


def minors(x: Array) -> Any:
    """For each row and column the matrix without them."""
    n = x.shape[-1]
    kept = np.array([[k for k in range(n) if k != i] for i in range(n)])
    flat = kept[:, None, :, None] * n + kept[None, :, None, :]
    return o.index(o.reshape(x, shape=(*x.shape[:-2], n * n)), index=(*(slice(None),) * (len(x.shape) - 2), flat))


def signs(n: int) -> Array:
    """1 and -1 in the pattern of a chessboard."""
    return (-1.0) ** np.add.outer(np.arange(n), np.arange(n))
