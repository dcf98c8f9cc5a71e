"""Arithmetic, comparison and choice."""

from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..core.primitive import Primitive

__all__ = [
    "abs", "add", "angle", "bitwise_and", "bitwise_not", "bitwise_or", "ceil", "clamp", "complex", "conj",
    "div", "eq", "floor", "floor_divide", "ge", "gt", "imag", "isfinite", "isinf", "isnan", "le", "lerp",
    "logical_and", "logical_not", "logical_or", "lt", "maximum", "minimum", "mul", "ne", "neg", "pow",
    "real", "remainder", "round", "sign", "sub", "trunc", "where",
]  # fmt: skip

add = Primitive("add", np.add, promotes="together")
sub = Primitive("sub", np.subtract, promotes="together")
mul = Primitive("mul", np.multiply, promotes="together")
div = Primitive("div", np.true_divide, promotes="both")
neg = Primitive("neg", np.negative)
pow = Primitive("pow", np.power, promotes="together")
abs = Primitive("abs", np.abs)
sign = Primitive("sign", np.sign)
maximum = Primitive("maximum", np.maximum, promotes="together")
minimum = Primitive("minimum", np.minimum, promotes="together")
clamp = Primitive("clamp", lambda x, min, max: np.clip(x, min, max), node="ClampBackward1")
where = Primitive("where", np.where, letters="cxy", promotes="together")
floor = Primitive("floor", np.floor)
ceil = Primitive("ceil", np.ceil)
round = Primitive("round", np.round)
trunc = Primitive("trunc", np.trunc)
remainder = Primitive("remainder", np.remainder, promotes="together")
floor_divide = Primitive("floor_divide", np.floor_divide, promotes="together")
lerp = Primitive("lerp", lambda x, y, w: x + w * (y - x), promotes="together")

eq = Primitive("eq", np.equal, promotes="together")
ne = Primitive("ne", np.not_equal, promotes="together")
lt = Primitive("lt", np.less, promotes="together")
le = Primitive("le", np.less_equal, promotes="together")
gt = Primitive("gt", np.greater, promotes="together")
ge = Primitive("ge", np.greater_equal, promotes="together")
logical_not = Primitive("logical_not", np.logical_not)
logical_and = Primitive("logical_and", np.logical_and)
logical_or = Primitive("logical_or", np.logical_or)
bitwise_not = Primitive("bitwise_not", np.invert)
bitwise_and = Primitive("bitwise_and", np.bitwise_and, promotes="together")
bitwise_or = Primitive("bitwise_or", np.bitwise_or, promotes="together")
isnan = Primitive("isnan", np.isnan)
isinf = Primitive("isinf", np.isinf)
isfinite = Primitive("isfinite", np.isfinite)


def _conj(x: Array) -> Any:
    # Real values are their own conjugates, and a Python number must stay one.
    return np.conj(x) if np.iscomplexobj(x) else x


conj = Primitive("conj", _conj)
real = Primitive("real", np.real, view=True)
imag = Primitive("imag", np.imag, view=True)
angle = Primitive("angle", np.angle)
complex = Primitive("complex", lambda x, y: x + np.asarray(1j, np.result_type(y, np.complex64)) * y)
