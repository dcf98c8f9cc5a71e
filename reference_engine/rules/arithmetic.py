"""Derivatives of arithmetic, choice, and the parts of complex numbers."""

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.dtypes import Array
from ..core.primitive import Traced
from .families import bilinear, constant, diagonal, elementwise, linear, others, refused, zero_like

linear(o.add, lambda g: g, lambda g: g)
linear(o.sub, lambda g: g, lambda g: -g, pointwise=True)
linear(o.neg, lambda g: -g)
bilinear(o.mul, lambda g, y: g * o.conj(y), lambda g, x: g * o.conj(x))
elementwise(o.div, lambda y: one_over(y), lambda x, y: -(x / y) / y)  # not by the result, which programs may change
elementwise(
    o.pow,
    lambda x, y: slope_of_power(x, y),  # x ** 0 is constant, at 0 too
    lambda z, x, y: o.where(at_zero(x, y), o.zero(z), z * o.log(base(x, z))),  # 0 ** y is constant for y >= 0
)
elementwise(o.lerp, lambda w: 1 - w, lambda w: w, lambda x, y: y - x)
linear(o.lerp_by, lambda g, weight: g * (1 - weight), lambda g, weight: g * weight)


def one_over(y: Any) -> Any:
    """``1 / y``; infinite for the number zero too, by which Python refuses to divide."""
    if isinstance(y, (int, float, complex)) and y == 0:
        return math.nan if isinstance(y, complex) else math.copysign(math.inf, y)
    return 1 / y


def slope_of_power(x: Array, y: Any) -> Any:
    """``y * x ** (y - 1)``, and zero where y is zero, whatever x is."""
    if isinstance(y, (int, float)):
        return y * o.pow(x, y - 1) if y else zero_like(x)
    none = o.eq(y, 0)
    return o.where(none, zero_like(x), y * o.pow(x, o.where(none, 1.0, y) - 1))


def base(x: Array, z: Array) -> Any:
    """The base of a power in the type of the result: a negative number has a logarithm among complex ones."""
    return x + o.zero(z) if is_complex(z) else x


def at_zero(x: Array, y: Array) -> Any:
    """Where 0 ** y does not depend on y."""
    return o.logical_and(o.eq(x, 0), o.ge(o.real(y), 0))


# Ties of maximum and minimum share the gradient equally; beside NaN both have all of it.
diagonal(
    o.maximum,
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(x, y), 0.0, g)),
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(x, y), 0.0, g)),
)
diagonal(
    o.minimum,
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(x, y), 0.0, g)),
    lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(x, y), 0.0, g)),
)
# Of fmax and fmin the first argument takes ties, and whichever is not NaN takes all.
diagonal(
    o.fmax,
    lambda g, x, y: o.where(o.logical_or(o.ge(x, y), o.isnan(y)), g, 0.0),
    lambda g, x, y: o.where(o.logical_or(o.ge(x, y), o.isnan(y)), 0.0, g),
)
diagonal(
    o.fmin,
    lambda g, x, y: o.where(o.logical_or(o.le(x, y), o.isnan(y)), g, 0.0),
    lambda g, x, y: o.where(o.logical_or(o.le(x, y), o.isnan(y)), 0.0, g),
)
# A bound that is a tensor has a gradient where it is exceeded; x at a bound keeps its own.
diagonal(
    o.clamp_min,
    lambda g, x, y: o.where(o.ge(x, y), g, 0.0),
    lambda g, x, y: o.where(o.lt(x, y), g, 0.0),
)
diagonal(
    o.clamp_max,
    lambda g, x, y: o.where(o.le(x, y), g, 0.0),
    lambda g, x, y: o.where(o.gt(x, y), g, 0.0),
)
diagonal(  # an upper bound below the lower one wins
    o.clamp_between,
    lambda g, x, y, w: o.where(o.logical_and(o.ge(x, y), o.le(x, w)), g, 0.0),
    lambda g, x, y, w: o.where(o.logical_and(o.lt(x, y), o.lt(y, w)), g, 0.0),
    lambda g, x, y, w: o.where(o.logical_or(o.gt(x, w), o.gt(y, w)), g, 0.0),
)
diagonal(o.clamp, lambda g, x, min, max: o.where(inside(x, min, max), g, 0.0))  # zero at the bounds, as of relu
diagonal(o.where, None, lambda g, c: o.where(c, g, 0.0), lambda g, c: o.where(c, 0.0, g))  # zero, never 0 * inf
diagonal(o.sgn, lambda g, z, x: turn(g, z, x))  # zero at zero
constant(o.sign, o.floor, o.ceil, o.round, o.trunc, o.div_floor, o.div_trunc)  # zero at the jumps too
diagonal(o.frac, lambda g: g)  # one at the jumps too
diagonal(o.remainder, lambda g: g, lambda g, x, y: -g * o.div_floor(x, y))
diagonal(o.fmod, lambda g: g, lambda g, x, y: -g * o.div_trunc(x, y))
refused(o.floor_divide, o.heaviside)  # recorded, and refused when asked for a gradient
diagonal(o.copysign, lambda g, z, x: o.where(o.eq(x, 0), 0.0, g * z / x), lambda g: zero_like(g))  # zero at zero
diagonal(o.nan_to_num, lambda g, x: o.where(o.isfinite(x), g, 0.0))  # zero where the value was replaced


def turn(g: Array, z: Array, x: Array) -> Any:
    """How the direction of x turns: of a complex number by what is at right angles to it, of a real one not at all."""
    if not is_complex(x):
        return zero_like(g)
    return o.where(o.eq(x, 0), 0.0, (g - z * o.real(o.conj(z) * g)) / o.abs(x))


def is_complex(x: Array) -> Any:
    """Whether an array or Tensor holds complex numbers."""
    return np.iscomplexobj(x.array if isinstance(x, Traced) else x)


def inside(x: Array, min: Any, max: Any) -> Any:
    """Where x lies between the bounds and at neither; a bound of None does not limit."""
    above = o.gt(x, min) if min is not None else o.eq(x, x)
    return o.logical_and(above, o.lt(x, max)) if max is not None else above


# Functions of complex numbers that are linear over the reals only: the two modes differ.
linear(o.conj, lambda g: o.conj(g))
linear(o.real, lambda g: g)
linear(o.imag, lambda g: g * 1j)
linear(o.view_as_real, lambda g: o.view_as_complex(g))
linear(o.view_as_complex, lambda g: o.view_as_real(g))
linear(o.complex, lambda g: o.real(g), lambda g: o.imag(g))
others(
    o.abs,
    [lambda g, x: g * o.sgn(x)],  # zero at zero
    [lambda t, x: o.real(t * o.conj(o.sgn(x)))],
)
others(
    o.angle,
    [lambda g, x: g * turned(x)],  # zero at zero, and for real numbers
    [lambda t, x: o.real(t * o.conj(turned(x)))],
)


def turned(x: Array) -> Any:
    """The direction in which the angle of x grows, divided by the distance from zero."""
    return o.where(o.eq(x, 0), 0.0, 1j * x / o.real(x * o.conj(x))) if is_complex(x) else o.zero(x)
