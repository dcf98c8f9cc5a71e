"""Derivatives of elementary functions: read it as the table at the back of a calculus book."""

import math
from typing import Any

from .. import primitives as o
from ..core.dtypes import Array
from .arithmetic import is_complex
from .families import diagonal, elementwise, missing

elementwise(o.exp, lambda z: z)
elementwise(o.exp2, lambda z: z * math.log(2))
elementwise(o.expm1, lambda z: z + 1)
elementwise(o.log, lambda x: 1 / x)  # infinite at zero
elementwise(o.bounded_log, lambda x: 1 / o.clamp(x, min=1e-12, max=None))  # finite at zero, and never zero
elementwise(o.log1p, lambda x: 1 / (x + 1))
elementwise(o.log2, lambda x: 1 / (x * math.log(2)))
elementwise(o.log10, lambda x: 1 / (x * math.log(10)))
elementwise(o.sin, lambda x: o.cos(x))
elementwise(o.cos, lambda x: -o.sin(x))
elementwise(o.tan, lambda z: 1 + z * z)
elementwise(o.asin, lambda x: o.rsqrt(1 - x * x))
elementwise(o.acos, lambda x: -o.rsqrt(1 - x * x))
elementwise(o.atan, lambda x: 1 / (1 + x * x))
elementwise(o.atan2, lambda x, y: from_zero(y, x, y), lambda x, y: -from_zero(x, x, y))  # zero at zero
elementwise(o.sinh, lambda x: o.cosh(x))
elementwise(o.cosh, lambda x: o.sinh(x))
elementwise(o.tanh, lambda z: 1 - z * z)
elementwise(o.asinh, lambda x: o.rsqrt(x * x + 1))
elementwise(
    o.acosh, lambda x: o.rsqrt(x - 1) * o.rsqrt(x + 1) if is_complex(x) else o.rsqrt(x * x - 1)
)  # infinite at 1
elementwise(o.atanh, lambda x: 1 / (1 - x * x))  # infinite at one and minus one
elementwise(o.hypot, lambda z, x: x / z, lambda z, y: y / z)  # NaN at zero
elementwise(o.logaddexp, lambda x, y: o.sigmoid(x - y), lambda x, y: o.sigmoid(y - x))
diagonal(o.share_gradient, lambda g, share: g * share)
diagonal(
    o.xlogy,
    lambda g, x, y: o.where(o.logical_and(o.eq(x, 0), o.le(y, 0)), 0.0, g * o.log(y)),  # zero at x = 0 >= y
    lambda g, x, y: g * x / y,
)
elementwise(o.sinc, lambda x: o.where(o.eq(x, 0), 0.0, (o.cos(math.pi * x) - o.sinc(x)) / x))  # zero at zero
elementwise(o.sqrt, lambda z: 1 / (2 * z))  # infinite at zero
elementwise(o.rsqrt, lambda z: -0.5 * z * z * z)
elementwise(o.reciprocal, lambda z: -z * z)
elementwise(o.sigmoid, lambda z: z * (1 - z))
elementwise(
    o.logit, lambda x: o.where(o.logical_and(o.ge(x, 0), o.le(x, 1)), 1 / (x * (1 - x)), math.nan)
)  # NaN outside [0, 1]
elementwise(o.erf, lambda x: 2 / math.sqrt(math.pi) * o.exp(-x * x))
elementwise(o.erfc, lambda x: -2 / math.sqrt(math.pi) * o.exp(-x * x))
elementwise(o.erfinv, lambda z: math.sqrt(math.pi) / 2 * o.exp(z * z))  # infinite at one and minus one
elementwise(o.lgamma, lambda x: o.polygamma(x, n=0))
elementwise(o.polygamma, lambda x, n: o.polygamma(x, n=n + 1))
diagonal(o.gammainc, missing(o.gammainc), lambda g, x, y: g * o.exp((x - 1) * o.log(y) - y - o.lgamma(x)))
elementwise(o.softplus, lambda x, beta, threshold: o.where(o.gt(x * beta, threshold), 1.0, o.sigmoid(x * beta)))
diagonal(o.relu, lambda g, z: o.where(o.le(z, 0), 0.0, g))  # zero at zero, and passed on at NaN


def from_zero(value: Array, x: Array, y: Array) -> Any:
    """A value divided by the squared distance of (x, y) from zero; zero there."""
    square = x * x + y * y
    return o.where(o.eq(square, 0), 0.0, value / square)
