"""The elementary functions, and those that neural networks are made of."""

import math
from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..core.primitive import Primitive

__all__ = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "erf",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "reciprocal",
    "relu",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "softplus",
    "sqrt",
    "tan",
    "tanh",
]  # fmt: skip

exp = Primitive("exp", np.exp, promotes="float")
expm1 = Primitive("expm1", np.expm1, promotes="float")
log = Primitive("log", np.log, promotes="float")
log1p = Primitive("log1p", np.log1p, promotes="float", node="Log1PBackward0")
log2 = Primitive("log2", np.log2, promotes="float")
log10 = Primitive("log10", np.log10, promotes="float")
sin = Primitive("sin", np.sin, promotes="float")
cos = Primitive("cos", np.cos, promotes="float")
tan = Primitive("tan", np.tan, promotes="float")
asin = Primitive("asin", np.arcsin, promotes="float")
acos = Primitive("acos", np.arccos, promotes="float")
atan = Primitive("atan", np.arctan, promotes="float")
atan2 = Primitive("atan2", np.arctan2, promotes="both")
sinh = Primitive("sinh", np.sinh, promotes="float")
cosh = Primitive("cosh", np.cosh, promotes="float")
tanh = Primitive("tanh", np.tanh, promotes="float")
sqrt = Primitive("sqrt", np.sqrt, promotes="float")
rsqrt = Primitive("rsqrt", lambda x: 1 / np.sqrt(x), promotes="float")
reciprocal = Primitive("reciprocal", lambda x: 1 / x, promotes="float")
sigmoid = Primitive("sigmoid", lambda x: 1 / (1 + np.exp(-x)), promotes="float")
relu = Primitive("relu", lambda x: np.maximum(x, 0))
erf = Primitive("erf", lambda x: np.vectorize(math.erf, otypes="d")(x).astype(x.dtype), promotes="float")


def _softplus(x: Array, beta: Any, threshold: Any) -> Any:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(x * beta)) / beta)


softplus = Primitive("softplus", _softplus, promotes="float")
