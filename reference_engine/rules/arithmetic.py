"""Derivatives of arithmetic, choice, and the parts of complex numbers."""

from typing import Any

import numpy as np

from .. import primitives as o
from ..core.dtypes import Array
from ..core.primitive import Traced
from .families import bilinear, constant, diagonal, elementwise, linear, others, zero_like

linear(o.add, lambda g: g, lambda g: g)
linear(o.sub, lambda g: g, lambda g: -g)
linear(o.neg, lambda g: -g)
bilinear(o.mul, lambda g, y: g * o.conj(y), lambda g, x: g * o.conj(x))
elementwise(o.div, lambda y: 1 / y, lambda z, y: -z / y)
elementwise(
    o.pow,
    lambda x, y: o.where(o.eq(y, 0), o.zero(x), y * o.pow(x, y - 1)),  # x ** 0 is constant, at 0 too
    lambda z, x, y: o.where(at_zero(x, y), o.zero(z), z * o.log(x)),  # 0 ** y is constant for y >= 0
)
elementwise(o.lerp, lambda w: 1 - w, lambda w: w, lambda x, y: y - x)


def at_zero(x: Array, y: Array) -> Any:
    """Where 0 ** y does not depend on y."""
    return o.logical_and(o.eq(x, 0), o.ge(o.real(y), 0))


# Ties of maximum and minimum share the gradient equally.
diagonal(
    o.maximum,
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(x, y), g, 0.0)),
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(y, x), g, 0.0)),
)
diagonal(
    o.minimum,
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(x, y), g, 0.0)),
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(y, x), g, 0.0)),
)
diagonal(o.clamp, lambda g, x, min, max: o.where(within(x, min, max), g, 0.0))  # one at both bounds
diagonal(o.where, None, lambda g, c: o.where(c, g, 0.0), lambda g, c: o.where(c, 0.0, g))  # zero, never 0 * inf
diagonal(o.sign, lambda g, z, x: turn(g, z, x))  # zero at zero
constant(o.floor, o.ceil, o.round, o.trunc)  # zero at the jumps too
elementwise(o.remainder, lambda x: o.sign(x) * 0 + 1, lambda x, y: -o.floor(x / y))


def turn(g: Array, z: Array, x: Array) -> Any:
    """How the direction of x turns: of a complex number by what is at right angles to it, of a real one not at all."""
    if not is_complex(x):
        return zero_like(g)
    return o.where(o.eq(x, 0), 0.0, (g - z * o.real(o.conj(z) * g)) / o.abs(x))


def is_complex(x: Array) -> Any:
    """Whether an array or Tensor holds complex numbers."""
    return np.iscomplexobj(x.array if isinstance(x, Traced) else x)


def within(x: Array, min: Any, max: Any) -> Any:
    """Where x lies between the bounds, bounds included; a bound of None does not limit."""
    above = o.ge(x, float("-inf") if min is None else min)
    return o.logical_and(above, o.le(x, float("inf") if max is None else max))


# Functions of complex numbers that are linear over the reals only: the two modes differ.
linear(o.conj, lambda g: o.conj(g))
linear(o.real, lambda g: g)
linear(o.imag, lambda g: g * 1j)
linear(o.complex, lambda g: o.real(g), lambda g: o.imag(g))
others(
    o.abs,
    [lambda g, x: g * o.sign(x)],  # zero at zero
    [lambda t, x: o.real(t * o.conj(o.sign(x)))],
)
others(
    o.angle,
    [lambda g, x: g * 1j * x / o.real(x * o.conj(x))],
    [lambda t, x: o.imag(t * o.conj(x)) / o.real(x * o.conj(x))],
)
