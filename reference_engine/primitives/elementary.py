"""The elementary functions, and those that neural networks are made of."""

import math
from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..core.primitive import Primitive
from .kinds import COUNTED, only

__all__ = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bounded_log", "cos", "cosh", "erf", "erfc", "exp",
    "exp2", "expm1", "hypot", "log", "log1p", "log2", "log10", "logaddexp", "logit", "reciprocal", "relu", "rsqrt",
    "share_gradient", "sigmoid", "sin", "sinc", "sinh", "softplus", "sqrt", "tan", "tanh", "xlogy",
]  # fmt: skip

exp = Primitive("exp", np.exp, promotes="float")
exp2 = Primitive("exp2", np.exp2, promotes="float")
expm1 = Primitive("expm1", np.expm1, promotes="float")
log = Primitive("log", np.log, promotes="float")
# The same numbers, of whose derivative an element gets its share (embedding).
share_gradient = Primitive("share_gradient", lambda x, share: x.copy(), node="EmbeddingBackward0")
bounded_log = Primitive("bounded_log", only("f", lambda x: np.maximum(np.log(x), -100)), promotes="float")
log1p = Primitive("log1p", np.log1p, promotes="float", node="Log1PBackward0")
log2 = Primitive("log2", np.log2, promotes="float")
log10 = Primitive("log10", np.log10, promotes="float")
sin = Primitive("sin", np.sin, promotes="float")
cos = Primitive("cos", np.cos, promotes="float")
tan = Primitive("tan", np.tan, promotes="float")
asin = Primitive("asin", np.arcsin, promotes="float")
acos = Primitive("acos", np.arccos, promotes="float")
atan = Primitive("atan", np.arctan, promotes="float")
atan2 = Primitive("atan2", only("f", np.arctan2), promotes="both")
sinh = Primitive("sinh", np.sinh, promotes="float")
cosh = Primitive("cosh", np.cosh, promotes="float")
tanh = Primitive("tanh", np.tanh, promotes="float")
asinh = Primitive("asinh", np.arcsinh, promotes="float")
acosh = Primitive("acosh", np.arccosh, promotes="float")
atanh = Primitive("atanh", np.arctanh, promotes="float")
sinc = Primitive("sinc", np.sinc, promotes="float")
hypot = Primitive("hypot", only("f", np.hypot), promotes="together")
logaddexp = Primitive("logaddexp", only("f", np.logaddexp), promotes="together")
sqrt = Primitive("sqrt", np.sqrt, promotes="float")
rsqrt = Primitive("rsqrt", lambda x: 1 / np.sqrt(x), promotes="float")
reciprocal = Primitive("reciprocal", lambda x: 1 / x, promotes="float")
sigmoid = Primitive("sigmoid", lambda x: 1 / (1 + np.exp(-x)), promotes="float")
logit = Primitive("logit", only("f", lambda x: np.log(x / (1 - x))), promotes="float")
relu = Primitive("relu", only(COUNTED, lambda x: np.maximum(x, 0)))


def _pointwise(function: Any) -> Any:
    """A function of Python's math module, of every element."""
    return lambda x: np.vectorize(function, otypes="d")(x).astype(x.dtype)


erf = Primitive("erf", only("f", _pointwise(math.erf)), promotes="float")
erfc = Primitive("erfc", only("f", _pointwise(math.erfc)), promotes="float")


def _xlogy(x: Array, y: Array) -> Any:
    # Zero times the logarithm of anything is zero, except of NaN.
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log(y)).astype(np.result_type(x, y))


xlogy = Primitive("xlogy", only("f", _xlogy), promotes="both")


def _softplus(x: Array, beta: Any, threshold: Any) -> Any:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(x * beta)) / beta)


softplus = Primitive("softplus", only("f", _softplus))
