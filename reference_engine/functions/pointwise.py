"""Functions of elements: arithmetic, comparison, elementary functions, choice, complex parts."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import binary, overridable, tensor_argument, unary

__all__ = [
    "abs",
    "absolute",
    "acos",
    "add",
    "addcdiv",
    "addcmul",
    "angle",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "clamp",
    "clip",
    "clone",
    "complex",
    "conj",
    "cos",
    "cosh",
    "div",
    "eq",
    "erf",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "ge",
    "gt",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "le",
    "lerp",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "lt",
    "masked_fill",
    "maximum",
    "minimum",
    "mul",
    "multiply",
    "ne",
    "neg",
    "negative",
    "pow",
    "real",
    "reciprocal",
    "relu",
    "remainder",
    "round",
    "rsqrt",
    "sgn",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "softplus",
    "sqrt",
    "square",
    "sub",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "where",
]  # fmt: skip

exp, expm1, log, log1p, log2, log10 = map(unary, (o.exp, o.expm1, o.log, o.log1p, o.log2, o.log10))
sin, cos, tan, asin, acos, atan = map(unary, (o.sin, o.cos, o.tan, o.asin, o.acos, o.atan))
sinh, cosh, tanh, sqrt, rsqrt, reciprocal = map(unary, (o.sinh, o.cosh, o.tanh, o.sqrt, o.rsqrt, o.reciprocal))
sigmoid, relu, erf, neg, abs, sign = map(unary, (o.sigmoid, o.relu, o.erf, o.neg, o.abs, o.sign))
floor, ceil, round, trunc = map(unary, (o.floor, o.ceil, o.round, o.trunc))
isnan, isinf, isfinite, logical_not, angle = map(unary, (o.isnan, o.isinf, o.isfinite, o.logical_not, o.angle))

mul, div, pow, maximum, minimum, atan2 = map(binary, (o.mul, o.div, o.pow, o.maximum, o.minimum, o.atan2))
eq, ne, lt, le, gt, ge = map(binary, (o.eq, o.ne, o.lt, o.le, o.gt, o.ge))
remainder, floor_divide = map(binary, (o.remainder, o.floor_divide))
logical_and, logical_or = map(binary, (o.logical_and, o.logical_or))
true_divide, multiply, absolute, negative, arctan2, sgn = div, mul, abs, neg, atan2, sign
arcsin, arccos, arctan = asin, acos, atan


@overridable
def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input + alpha * other``, broadcast (torch.add)."""
    return o.add(input, other if alpha == 1 else o.mul(other, alpha))


@overridable
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input - alpha * other``, broadcast (torch.sub)."""
    return o.sub(input, other if alpha == 1 else o.mul(other, alpha))


subtract = sub


@overridable
def square(input: Tensor) -> Tensor:
    """The square of each element (torch.square)."""
    return o.pow(tensor_argument("square", input), 2)


@overridable
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where the condition holds, of `other` elsewhere, all broadcast (torch.where).

    With the condition only, the indices where it holds, as a tuple of tensors.
    """
    if input is None and other is None:
        return tuple(Tensor.of(i) for i in condition.array.nonzero())
    return o.where(condition, input, other)


@overridable
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element, but not below `min` nor above `max`; the gradient at a bound is one (torch.clamp)."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return o.clamp(tensor_argument("clamp", input), min=min, max=max)
    result = input if min is None else o.maximum(input, min)
    return result if max is None else o.minimum(result, max)


clip = clamp


@overridable
def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """``input + weight * (end - input)`` (torch.lerp)."""
    return o.lerp(input, end, weight)


@overridable
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """``input + value * tensor1 * tensor2`` (torch.addcmul)."""
    return input + value * tensor1 * tensor2


@overridable
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """``input + value * tensor1 / tensor2`` (torch.addcdiv)."""
    return input + value * tensor1 / tensor2


@overridable
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and x itself above the threshold (torch.nn.functional.softplus)."""
    return o.softplus(tensor_argument("softplus", input), beta=beta, threshold=threshold)


@overridable
def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor itself (torch.conj)."""
    return o.conj(input) if input.dtype.is_complex else input


@overridable
def real(input: Tensor) -> Tensor:
    """The real part, a view; a real tensor itself (torch.real)."""
    return o.real(input) if input.dtype.is_complex else input


@overridable
def imag(input: Tensor) -> Tensor:
    """The imaginary part, a view; RuntimeError for real tensors (torch.imag)."""
    if not input.dtype.is_complex:
        raise RuntimeError(f"imag is not implemented for tensors with non-complex dtypes, but got {input.dtype}")
    return o.imag(input)


@overridable
def complex(real: Tensor, imag: Tensor) -> Tensor:
    """The complex tensor with the given parts, of one floating dtype (torch.complex)."""
    if real.dtype != imag.dtype or not real.dtype.is_floating_point:
        raise RuntimeError(f"expected both parts of one floating dtype, but got {real.dtype} and {imag.dtype}")
    return o.complex(real, imag)


@overridable
def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value` where the mask holds, the input elsewhere (torch.Tensor.masked_fill)."""
    return o.masked_fill(input, value, mask=mask.array)


@overridable
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy with memory of its own that stays in the graph (torch.clone)."""
    return o.clone(tensor_argument("clone", input))
