"""Derivatives element by element: arithmetic, choice, the parts of complex numbers, the elementary functions."""

import math
from typing import Any

from .. import primitives as o
from ..core.aliases import Array
from ..core.conform import conform
from .families import (
    bilinear,
    constant,
    diagonal,
    elementwise,
    is_complex,
    linear,
    missing,
    others,
    zero_like,
)

RULES = [
    linear(o.add, lambda g: g, lambda g: g),
    linear(o.sub, lambda g: g, lambda g, y: -conform(g, y)),
    linear(o.neg, lambda g: -g),
    bilinear(o.mul, lambda g, y: g * o.conj(y), lambda g, x: g * o.conj(x)),
    elementwise(o.div, lambda y: one_over(y), lambda x, y: -(x / y) / y),  # not by the result: programs may change it
    elementwise(
        o.pow,
        lambda x, y: slope_of_power(x, y),  # x ** 0 is constant, at 0 too
        lambda z, x, y: z * o.log(o.where(at_zero(x, y), 1.0, base(x, z))),  # 0 ** y is constant for y >= 0
    ),
    # Ties of maximum and minimum share the gradient equally; beside NaN both have all of it.
    diagonal(
        o.maximum,
        lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(x, y), 0.0, g)),
        lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(x, y), 0.0, g)),
    ),
    diagonal(
        o.minimum,
        lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.gt(x, y), 0.0, g)),
        lambda g, x, y: o.where(o.eq(x, y), g / 2, o.where(o.lt(x, y), 0.0, g)),
    ),
    # A bound that is a tensor has a gradient where it is exceeded; at a bound it shares that of x.
    diagonal(
        o.clamp_min,
        lambda g, x, y: shared(g, o.gt(x, y), o.eq(x, y)),
        lambda g, x, y: shared(g, o.lt(x, y), o.eq(x, y)),
    ),
    diagonal(
        o.clamp_max,
        lambda g, x, y: shared(g, o.lt(x, y), o.eq(x, y)),
        lambda g, x, y: shared(g, o.gt(x, y), o.eq(x, y)),
    ),
    diagonal(  # an upper bound below the lower one wins
        o.clamp_between,
        lambda g, x, y, w: o.where(o.gt(y, w), 0.0, shared(g, inside(x, y, w), o.logical_or(o.eq(x, y), o.eq(x, w)))),
        lambda g, x, y, w: o.where(o.ge(y, w), 0.0, shared(g, o.lt(x, y), o.eq(x, y))),
        lambda g, x, y, w: o.where(o.gt(y, w), g, shared(g, o.gt(x, w), o.eq(x, w))),
    ),
    diagonal(o.clamp, lambda g, x, min, max: o.where(inside(x, min, max), g, 0.0)),  # zero at the bounds, as of relu
    diagonal(o.where, None, lambda g, c: o.where(c, g, 0.0), lambda g, c: o.where(c, 0.0, g)),  # zero, never 0 * inf
    diagonal(o.sgn, lambda g, z, x: turn(g, z, x)),  # zero at zero
    *constant(o.sign, o.floor, o.ceil, o.round, o.trunc, o.div_floor),  # zero at the jumps too
    diagonal(o.frac, lambda g: g),  # one at the jumps too
    diagonal(o.remainder, lambda g: g, lambda g, x, y: -g * o.div_floor(x, y)),
    diagonal(o.copysign, lambda g, z, x: o.where(o.eq(x, 0), 0.0, g * z / x), lambda g: zero_like(g)),  # zero at zero
    # Functions of complex numbers that are linear over the reals only: the two modes differ.
    linear(o.conj, lambda g: o.conj(g)),
    linear(o.real, lambda g: g),
    linear(o.imag, lambda g: g * 1j),
    linear(o.view_as_real, lambda g: o.view_as_complex(g)),
    linear(o.view_as_complex, lambda g: o.view_as_real(g)),
    linear(o.complex, lambda g: o.real(g), lambda g: o.imag(g)),
    others(
        o.abs,
        [lambda g, x: g * o.sgn(x)],  # zero at zero
        [lambda t, x: o.real(t * o.conj(o.sgn(x)))],
    ),
    others(
        o.angle,
        [lambda g, x: g * turned(x)],  # zero at zero, and for real numbers
        [lambda t, x: o.real(t * o.conj(turned(x)))],
    ),
    # --- elementary functions: read it as the table at the back of a calculus book
    elementwise(o.exp, lambda z: z),
    elementwise(o.exp2, lambda z: z * math.log(2)),
    elementwise(o.expm1, lambda z: z + 1),
    elementwise(o.log, lambda x: 1 / x),  # infinite at zero
    elementwise(o.bounded_log, lambda x: 1 / o.clamp(x, min=1e-12, max=None)),  # finite at zero, and never zero
    elementwise(o.log1p, lambda x: 1 / (x + 1)),
    elementwise(o.log2, lambda x: 1 / (x * math.log(2))),
    elementwise(o.log10, lambda x: 1 / (x * math.log(10))),
    elementwise(o.sin, lambda x: o.cos(x)),
    elementwise(o.cos, lambda x: -o.sin(x)),
    elementwise(o.tan, lambda z: 1 + z * z),
    elementwise(o.asin, lambda x: o.rsqrt(1 - x * x)),
    elementwise(o.acos, lambda x: -o.rsqrt(1 - x * x)),
    elementwise(o.atan, lambda x: 1 / (1 + x * x)),
    elementwise(o.atan2, lambda x, y: from_zero(y, x, y), lambda x, y: -from_zero(x, x, y)),  # zero at zero
    elementwise(o.sinh, lambda x: o.cosh(x)),
    elementwise(o.cosh, lambda x: o.sinh(x)),
    elementwise(o.tanh, lambda z: 1 - z * z),  # by the result, which tanh_ has in the place of x: zero from 19 on
    elementwise(o.asinh, lambda x: o.rsqrt(x * x + 1)),
    elementwise(
        o.acosh, lambda x: o.rsqrt(x - 1) * o.rsqrt(x + 1) if is_complex(x) else o.rsqrt(x * x - 1)
    ),  # infinite at 1
    elementwise(o.atanh, lambda x: 1 / (1 - x * x)),  # infinite at one and minus one
    elementwise(o.hypot, lambda z, x: direction(x, z), lambda z, y: direction(y, z)),  # zero at zero
    elementwise(o.logaddexp, lambda x, y: o.sigmoid(x - y), lambda x, y: o.sigmoid(y - x)),
    diagonal(o.share_gradient, lambda g, share: g * share),
    elementwise(o.sinc, lambda x: slope_of_sinc(x)),  # zero at zero
    elementwise(o.sqrt, lambda z: 1 / (2 * z)),  # infinite at zero
    elementwise(o.rsqrt, lambda z: -0.5 * z * z * z),
    elementwise(o.reciprocal, lambda z: -z * z),
    elementwise(o.sigmoid, lambda z: z * (1 - z)),  # by the result too: zero from 37 on
    elementwise(
        o.logit, lambda x: o.where(o.logical_and(o.ge(x, 0), o.le(x, 1)), 1 / (x * (1 - x)), math.nan)
    ),  # NaN outside [0, 1]
    elementwise(o.erf, lambda x: 2 / math.sqrt(math.pi) * o.exp(-x * x)),
    elementwise(o.erfc, lambda x: -2 / math.sqrt(math.pi) * o.exp(-x * x)),
    elementwise(o.lgamma, lambda x: o.polygamma(x, n=0)),
    elementwise(o.polygamma, lambda x, n: o.polygamma(x, n=n + 1)),
    diagonal(o.gammainc, missing(o.gammainc), lambda g, x, y: g * o.exp((x - 1) * o.log(y) - y - o.lgamma(x))),
    elementwise(o.softplus, lambda x, beta, threshold: o.where(o.gt(x * beta, threshold), 1.0, o.sigmoid(x * beta))),
    diagonal(o.relu, lambda g, z: o.where(o.le(z, 0), 0.0, g)),  # zero at zero, and passed on at NaN
]


def one_over(y: Any) -> Any:
    """``1 / y``; infinite for the number zero too, by which Python cannot divide."""
    if isinstance(y, (int, float, complex)) and y == 0:
        return math.nan if isinstance(y, complex) else math.copysign(math.inf, y)
    return 1 / y


def slope_of_power(x: Array, y: Any) -> Any:
    """``y * x ** (y - 1)``, and zero for 0 ** 0."""
    if isinstance(y, (int, float)):
        return y * o.pow(x, y - 1) if y else zero_like(x)
    # Elsewhere a y of zero needs no care, and how the slope depends on it must not be lost.
    none = o.logical_and(o.eq(y, 0), o.eq(x, 0))
    return o.where(none, zero_like(x), y * o.pow(x, o.where(none, 1.0, y) - 1))


def base(x: Array, z: Array) -> Any:
    """The base of a power in the type of the result: a negative number has a logarithm among complex ones."""
    return x + o.zero(z) if is_complex(z) else x


def slope_of_sinc(x: Any) -> Any:
    """The slope of sin(pi x) / (pi x); near zero, where that cancels, its series, for its own derivatives too."""
    near = o.lt(o.abs(x), 0.5)
    # What is not chosen must stay finite: in backward, zero times infinity would be NaN.
    small, large = o.where(near, x, 0.0), o.where(near, 1.0, x)
    square, series = small * small, 0.0
    for k in range(11, 0, -1):
        series = series * square + (-1) ** k * 2 * k * math.pi ** (2 * k) / math.factorial(2 * k + 1)
    return o.where(near, series * small, (o.cos(math.pi * large) - o.sinc(large)) / large)


def direction(x: Array, z: Array) -> Any:
    """A side of a right triangle, divided by its longest side; zero where that is."""
    none = o.eq(z, 0)
    return o.where(none, 0.0, x / o.where(none, 1.0, z))


def at_zero(x: Array, y: Array) -> Any:
    """Where 0 ** y does not depend on y."""
    return o.logical_and(o.eq(x, 0), o.ge(o.real(y), 0))


def turn(g: Array, z: Array, x: Array) -> Any:
    """The rotation of x's direction by g: the part of g orthogonal to a complex number, nothing for a real number."""
    if not is_complex(x):
        return zero_like(g)
    return o.where(o.eq(x, 0), 0.0, (g - z * o.real(o.conj(z) * g)) / o.abs(x))


def shared(g: Array, own: Any, tied: Any) -> Any:
    """The gradient g where the argument was chosen, half of it at a tie, and zero elsewhere."""
    return o.where(tied, g / 2, o.where(own, g, 0.0))


def inside(x: Array, min: Any, max: Any) -> Any:
    """Where x lies between the bounds and at neither; a bound of None does not limit."""
    above = o.gt(x, min) if min is not None else o.eq(x, x)
    return o.logical_and(above, o.lt(x, max)) if max is not None else above


def turned(x: Array) -> Any:
    """The direction in which the angle of x grows, divided by the distance from zero."""
    return o.where(o.eq(x, 0), 0.0, 1j * x / o.real(x * o.conj(x))) if is_complex(x) else o.zero(x)


def from_zero(value: Array, x: Array, y: Array) -> Any:
    """A value divided by the squared distance of (x, y) from zero; zero there."""
    square = x * x + y * y
    return o.where(o.eq(square, 0), 0.0, value / square)
