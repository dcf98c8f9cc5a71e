"""Operations element by element: arithmetic, comparison and choice, complex numbers, the elementary functions."""

import math
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import OfComplex, Primitive
from ..core.views import ViewPrimitive
from .kinds import COUNTED, ORDERED, SIGNED, dividing, only

__all__ = [
    "abs", "acos", "acosh", "add", "angle", "asin", "asinh", "atan", "atan2", "atanh", "bounded_log", "ceil",
    "clamp", "clamp_between", "clamp_max", "clamp_min", "complex", "conj", "copysign", "cos", "cosh", "div",
    "div_floor", "eq", "erf", "erfc", "exp", "exp2", "expm1", "floor", "frac", "ge", "gt", "hypot", "imag", "isnan",
    "le", "log", "log1p", "log2", "log10", "logaddexp", "logical_and", "logical_or", "logit", "lt", "maximum",
    "minimum", "mul", "ne", "neg", "pow", "real", "reciprocal", "relu", "remainder", "round", "rsqrt", "sgn",
    "share_gradient", "sigmoid", "sign", "signbit", "sin", "sinc", "sinh", "softplus", "sqrt", "sub", "tan", "tanh",
    "trunc", "view_as_complex", "view_as_real", "where",
]  # fmt: skip


def _sign(x: Array) -> Any:
    if x.dtype.kind == "b":
        return x.astype(bool)
    # PyTorch's sign of NaN is zero; its direction in the plane is NaN.
    return np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype) if x.dtype.kind == "f" else np.sign(x)


def _pow(x: Array, y: Array) -> Any:
    kind = x.dtype.kind if hasattr(x, "dtype") else ""
    if kind == "c" and not np.ndim(y) and y == 0.5:
        return np.sqrt(x)  # the power would say NaN at infinity
    if kind not in ("i", "u") or not np.ndim(y):
        return np.power(x, y)
    # Of many integers the negative powers are quotients without their fraction; for a single one NumPy raises an error.
    size = np.power(x, np.abs(y))
    return np.where((y < 0) & (np.abs(x) != 1), 0, size).astype(x.dtype)


add = Primitive("add", np.add, promotes="together")
sub = Primitive("sub", only(SIGNED, np.subtract), promotes="together")
mul = Primitive("mul", np.multiply, promotes="together")
div = Primitive("div", np.true_divide, promotes="both")
neg = Primitive("neg", only(SIGNED, np.negative))
pow = Primitive("pow", only(SIGNED, _pow), promotes="together", has_scalar_overload=True)
abs = Primitive("abs", only(SIGNED, np.abs))
sign = Primitive("sign", only(ORDERED, _sign))
sgn = Primitive("sgn", _sign)
maximum = Primitive("maximum", only(ORDERED, np.maximum), promotes="together")
minimum = Primitive("minimum", only(ORDERED, np.minimum), promotes="together")
clamp_min = Primitive("clamp_min", only(ORDERED, np.maximum), promotes="together")
clamp_max = Primitive("clamp_max", only(ORDERED, np.minimum), promotes="together")
clamp = Primitive("clamp", only(ORDERED, lambda x, min, max: np.clip(x, min, max)), node="ClampBackward1")
clamp_between = Primitive(
    "clamp_between",
    only(ORDERED, lambda x, y, w: np.minimum(np.maximum(x, y), w)),
    promotes="together",
    node="ClampBackward0",
)
where = Primitive("where", np.where, letters="cxy", promotes="together")
floor = Primitive("floor", only(COUNTED, np.floor))
ceil = Primitive("ceil", only(COUNTED, np.ceil))
round = Primitive("round", only(COUNTED, np.round))
trunc = Primitive("trunc", only(COUNTED, np.trunc))
frac = Primitive("frac", only("f", lambda x: x - np.trunc(x)))
copysign = Primitive("copysign", only(ORDERED, np.copysign), promotes="both")
remainder = Primitive("remainder", dividing(np.remainder), promotes="together", has_scalar_overload=True)
div_floor = Primitive("div_floor", dividing(np.floor_divide), promotes="together", node="DivBackward1")

eq = Primitive("eq", np.equal, promotes="together")
ne = Primitive("ne", np.not_equal, promotes="together")
lt = Primitive("lt", only(ORDERED, np.less), promotes="together")
le = Primitive("le", only(ORDERED, np.less_equal), promotes="together")
gt = Primitive("gt", only(ORDERED, np.greater), promotes="together")
ge = Primitive("ge", only(ORDERED, np.greater_equal), promotes="together")
logical_and = Primitive("logical_and", np.logical_and)
logical_or = Primitive("logical_or", np.logical_or)
signbit = Primitive("signbit", only(ORDERED, np.signbit))
isnan = Primitive("isnan", np.isnan)


conj = OfComplex("conj", np.conj)


def _angle(x: Array) -> Any:
    # A real number is at angle zero or pi: -0.0 is not negative.
    return np.angle(x) if x.dtype.kind == "c" else np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0)).astype(x.dtype)


def _complex(x: Array, y: Array) -> Any:
    # Part by part, since infinity times 1j would be NaN.
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x, y, np.complex64))
    out.real, out.imag = x, y
    return out


real = ViewPrimitive("real", np.real)
imag = ViewPrimitive("imag", np.imag)
angle = Primitive("angle", _angle, promotes="float")
complex = Primitive("complex", _complex)


def _parts(x: Array) -> Any:
    """Complex numbers as pairs of real ones, seen in the same memory."""
    return np.lib.stride_tricks.as_strided(x.real, (*x.shape, 2), (*x.strides, x.itemsize // 2))


def _joined(x: Array) -> Any:
    """Pairs of real numbers as complex ones, seen in the same memory."""
    whole = x if x.strides[-1] == x.itemsize else np.ascontiguousarray(x)
    return whole.view(np.result_type(x.dtype, np.complex64))[..., 0]


view_as_real = ViewPrimitive("view_as_real", _parts)
view_as_complex = ViewPrimitive("view_as_complex", _joined)

# --- elementary functions, and those that neural networks are made of -------------------------------------

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


def _softplus(x: Array, beta: Any, threshold: Any) -> Any:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(x * beta)) / beta)


softplus = Primitive("softplus", only("f", _softplus))
