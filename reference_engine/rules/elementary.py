"""Derivatives of elementary functions: read it as the table at the back of a calculus book."""

import math

from .. import primitives as o
from .families import diagonal, elementwise

elementwise(o.exp, lambda z: z)
elementwise(o.expm1, lambda z: z + 1)
elementwise(o.log, lambda x: 1 / x)  # infinite at zero
elementwise(o.log1p, lambda x: 1 / (x + 1))
elementwise(o.log2, lambda x: 1 / (x * math.log(2)))
elementwise(o.log10, lambda x: 1 / (x * math.log(10)))
elementwise(o.sin, lambda x: o.cos(x))
elementwise(o.cos, lambda x: -o.sin(x))
elementwise(o.tan, lambda z: 1 + z * z)
elementwise(o.asin, lambda x: o.rsqrt(1 - x * x))
elementwise(o.acos, lambda x: -o.rsqrt(1 - x * x))
elementwise(o.atan, lambda x: 1 / (1 + x * x))
elementwise(o.atan2, lambda x, y: y / (x * x + y * y), lambda x, y: -x / (x * x + y * y))
elementwise(o.sinh, lambda x: o.cosh(x))
elementwise(o.cosh, lambda x: o.sinh(x))
elementwise(o.tanh, lambda z: 1 - z * z)
elementwise(o.sqrt, lambda z: 1 / (2 * z))  # infinite at zero
elementwise(o.rsqrt, lambda z: -0.5 * z * z * z)
elementwise(o.reciprocal, lambda z: -z * z)
elementwise(o.sigmoid, lambda z: z * (1 - z))
elementwise(o.erf, lambda x: 2 / math.sqrt(math.pi) * o.exp(-x * x))
elementwise(o.softplus, lambda x, beta, threshold: o.where(o.gt(x * beta, threshold), 1.0, o.sigmoid(x * beta)))
diagonal(o.relu, lambda g, z: o.where(o.gt(z, 0), g, 0.0))  # zero at zero
