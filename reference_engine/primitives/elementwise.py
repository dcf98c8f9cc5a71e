"""Operations element by element: arithmetic, comparison and choice, complex numbers, the elementary functions."""

import math
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import EVERY_FORM, FUNCTION_AND_METHOD, OfComplex, Primitive
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
    # Of many integers the negative powers are quotients without their fraction; for a scalar NumPy raises an error.
    size = np.power(x, np.abs(y))
    return np.where((y < 0) & (np.abs(x) != 1), 0, size).astype(x.dtype)


add = Primitive("add", np.add, promotes="together")
sub = Primitive("sub", only(SIGNED, np.subtract), promotes="together")
mul = Primitive("mul", np.multiply, promotes="together", forms=EVERY_FORM, operators="__mul__ __rmul__ __imul__")
div = Primitive("div", np.true_divide, promotes="both", forms=EVERY_FORM, operators="__truediv__ __itruediv__")
neg = Primitive("neg", only(SIGNED, np.negative), forms=EVERY_FORM)
pow = Primitive(
    "pow",
    only(SIGNED, _pow),
    promotes="together",
    has_scalar_overload=True,
    forms=EVERY_FORM,
    operators="__pow__ __ipow__",
)
abs = Primitive("abs", only(SIGNED, np.abs), forms=EVERY_FORM)
sign = Primitive("sign", only(ORDERED, _sign), forms=EVERY_FORM)
sgn = Primitive("sgn", _sign, forms=EVERY_FORM)
maximum = Primitive("maximum", only(ORDERED, np.maximum), promotes="together", forms=FUNCTION_AND_METHOD)
minimum = Primitive("minimum", only(ORDERED, np.minimum), promotes="together", forms=FUNCTION_AND_METHOD)
clamp_min = Primitive("clamp_min", only(ORDERED, np.maximum), promotes="together", forms=EVERY_FORM)
clamp_max = Primitive("clamp_max", only(ORDERED, np.minimum), promotes="together", forms=EVERY_FORM)
clamp = Primitive("clamp", only(ORDERED, lambda x, min, max: np.clip(x, min, max)), node="ClampBackward1")
clamp_between = Primitive(
    "clamp_between",
    only(ORDERED, lambda x, y, w: np.minimum(np.maximum(x, y), w)),
    promotes="together",
    node="ClampBackward0",
)
where = Primitive("where", np.where, letters="cxy", promotes="together", forms="function")
floor = Primitive("floor", only(COUNTED, np.floor), forms=EVERY_FORM)
ceil = Primitive("ceil", only(COUNTED, np.ceil), forms=EVERY_FORM)
round = Primitive("round", only(COUNTED, np.round), forms=EVERY_FORM)
trunc = Primitive("trunc", only(COUNTED, np.trunc), forms=EVERY_FORM)
frac = Primitive("frac", only("f", lambda x: x - np.trunc(x)), forms=EVERY_FORM)
copysign = Primitive("copysign", only(ORDERED, np.copysign), promotes="both", forms=EVERY_FORM)
remainder = Primitive(
    "remainder",
    dividing(np.remainder),
    promotes="together",
    has_scalar_overload=True,
    forms=EVERY_FORM,
    operators="__mod__ __imod__",
)
div_floor = Primitive("div_floor", dividing(np.floor_divide), promotes="together", node="DivBackward1")

eq = Primitive("eq", np.equal, promotes="together", forms=EVERY_FORM, operators="__eq__")
ne = Primitive("ne", np.not_equal, promotes="together", forms=EVERY_FORM, operators="__ne__")
lt = Primitive("lt", only(ORDERED, np.less), promotes="together", forms=EVERY_FORM, operators="__lt__")
le = Primitive("le", only(ORDERED, np.less_equal), promotes="together", forms=EVERY_FORM, operators="__le__")
gt = Primitive("gt", only(ORDERED, np.greater), promotes="together", forms=EVERY_FORM, operators="__gt__")
ge = Primitive("ge", only(ORDERED, np.greater_equal), promotes="together", forms=EVERY_FORM, operators="__ge__")
logical_and = Primitive("logical_and", np.logical_and, forms=FUNCTION_AND_METHOD)
logical_or = Primitive("logical_or", np.logical_or, forms=FUNCTION_AND_METHOD)
signbit = Primitive("signbit", only(ORDERED, np.signbit), forms=FUNCTION_AND_METHOD)
isnan = Primitive("isnan", np.isnan, forms=FUNCTION_AND_METHOD)


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
angle = Primitive("angle", _angle, promotes="float", forms=FUNCTION_AND_METHOD)
complex = Primitive("complex", _complex, forms="function")


def _parts(x: Array) -> Any:
    """Complex numbers as pairs of real ones, seen in the same memory."""
    return np.lib.stride_tricks.as_strided(x.real, (*x.shape, 2), (*x.strides, x.itemsize // 2))


def _joined(x: Array) -> Any:
    """Pairs of real numbers as complex ones, seen in the same memory. RuntimeError for half precision."""
    if x.dtype == np.float16:
        raise RuntimeError("view_as_complex takes float32 and float64: NumPy has no complex numbers of half precision")
    whole = x if x.strides[-1] == x.itemsize else np.ascontiguousarray(x)
    return whole.view(np.result_type(x.dtype, np.complex64))[..., 0]


view_as_real = ViewPrimitive("view_as_real", _parts, forms="function")
view_as_complex = ViewPrimitive("view_as_complex", _joined, forms="function")

# --- elementary functions, and those that neural networks are made of -------------------------------------

exp = Primitive("exp", np.exp, promotes="float", forms=EVERY_FORM)
exp2 = Primitive("exp2", np.exp2, promotes="float", forms=EVERY_FORM)
expm1 = Primitive("expm1", np.expm1, promotes="float", forms=EVERY_FORM)
log = Primitive("log", np.log, promotes="float", forms=EVERY_FORM)
# The same numbers, of whose derivative an element gets its share (embedding).
share_gradient = Primitive("share_gradient", lambda x, share: x.copy(), node="EmbeddingBackward0")
bounded_log = Primitive("bounded_log", only("f", lambda x: np.maximum(np.log(x), -100)), promotes="float")
log1p = Primitive("log1p", np.log1p, promotes="float", node="Log1PBackward0", forms=EVERY_FORM)
log2 = Primitive("log2", np.log2, promotes="float", forms=EVERY_FORM)
log10 = Primitive("log10", np.log10, promotes="float", forms=EVERY_FORM)
sin = Primitive("sin", np.sin, promotes="float", forms=EVERY_FORM)
cos = Primitive("cos", np.cos, promotes="float", forms=EVERY_FORM)
tan = Primitive("tan", np.tan, promotes="float", forms=EVERY_FORM)
asin = Primitive("asin", np.arcsin, promotes="float", forms=EVERY_FORM)
acos = Primitive("acos", np.arccos, promotes="float", forms=EVERY_FORM)
atan = Primitive("atan", np.arctan, promotes="float", forms=EVERY_FORM)
atan2 = Primitive("atan2", only("f", np.arctan2), promotes="both", forms=EVERY_FORM)
sinh = Primitive("sinh", np.sinh, promotes="float", forms=EVERY_FORM)
cosh = Primitive("cosh", np.cosh, promotes="float", forms=EVERY_FORM)
tanh = Primitive("tanh", np.tanh, promotes="float", forms=EVERY_FORM + " functional")
asinh = Primitive("asinh", np.arcsinh, promotes="float", forms=EVERY_FORM)
acosh = Primitive("acosh", np.arccosh, promotes="float", forms=EVERY_FORM)
atanh = Primitive("atanh", np.arctanh, promotes="float", forms=EVERY_FORM)
sinc = Primitive("sinc", np.sinc, promotes="float", forms=EVERY_FORM + " special")
hypot = Primitive("hypot", only("f", np.hypot), promotes="together", forms=EVERY_FORM)
logaddexp = Primitive("logaddexp", only("f", np.logaddexp), promotes="together", forms=FUNCTION_AND_METHOD)
sqrt = Primitive("sqrt", np.sqrt, promotes="float", forms=EVERY_FORM)
rsqrt = Primitive("rsqrt", lambda x: 1 / np.sqrt(x), promotes="float", forms=EVERY_FORM)
reciprocal = Primitive("reciprocal", lambda x: 1 / x, promotes="float", forms=EVERY_FORM)
sigmoid = Primitive("sigmoid", lambda x: 1 / (1 + np.exp(-x)), promotes="float", forms=EVERY_FORM + " functional")
logit = Primitive("logit", only("f", lambda x: np.log(x / (1 - x))), promotes="float", forms=EVERY_FORM + " special")
relu = Primitive("relu", only(COUNTED, lambda x: np.maximum(x, 0)), forms=EVERY_FORM + " functional")


def _pointwise(function: Any) -> Any:
    """A function of Python's math module, of every element."""
    return lambda x: np.vectorize(function, otypes="d")(x).astype(x.dtype)


erf = Primitive("erf", only("f", _pointwise(math.erf)), promotes="float", forms=EVERY_FORM + " special")
erfc = Primitive("erfc", only("f", _pointwise(math.erfc)), promotes="float", forms=EVERY_FORM + " special")


def _softplus(x: Array, beta: Any, threshold: Any) -> Any:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(x * beta)) / beta)


softplus = Primitive("softplus", only("f", _softplus))
