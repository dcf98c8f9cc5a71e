"""Where this engine and PyTorch 2.13 differ on the expressions of `comparison`, and why. The test holds both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Difference(NamedTuple):
    """An expression, the kind and names of its inputs, what differs there (value, gradient, second, error), and why."""

    code: str
    kind: str
    inputs: str
    whats: str
    reason: str

    def cells(self) -> Iterator[tuple[str, str, str, str]]:
        """Each combination of expression, kind, input and what differs."""
        for name in self.inputs.split():
            for what in self.whats.split():
                yield self.code, self.kind, name, what


_ROOT = "PyTorch's root of -0.0 is -0.0 and of -inf NaN; a power says 0 and inf"
_LOGIT = "outside [eps, 1 - eps] the first gradient is zero on both; PyTorch's own derivative of that zero is NaN"
_BOUND = "at a bound PyTorch 2.13 has slope one; notes/autograd asks for the smallest slope, which is zero here"
_SHARED = "at a bound that is a tensor PyTorch 2.13 has slope one; here, and in PyTorch 2.15, both share the gradient"
_REMAINDER = "PyTorch has no derivative of a number modulo a tensor; here it is that of a tensor modulo a tensor"
_SLOPE = "at zero the slope of |x|**p is infinite, and PyTorch multiplies it by zero; here it stays zero by convention"
_ONE = "the variance of one element is 0/0: the gradient is NaN on both, and its own derivative 0 or NaN"
_ZERO = "at x = 0 PyTorch multiplies 0 by log(0), which is NaN; here 0 ** y is constant there"
_UNSET = "which of several equal elements is chosen is not documented; here the first in order of place"
_MODE = "whether NaN equals NaN here is not documented; in PyTorch NaN comes first"
_DIVIDES = "PyTorch divides the product by the element, NaN if that is infinite or NaN; here the others are multiplied"
_LARGER = "PyTorch documents a source larger than the index, but has no gradient for it; here the rest of it gets zero"
_FLAT = "PyTorch's second derivative of the determinant is NaN here; ours is made of minors, which are numbers"
_HYPOTENUSE = "at zero PyTorch divides by the hypotenuse, which is NaN; here the slope is zero, one of those between"
_UNSIGNED = "PyTorch negates x itself for the gradient with respect to y, which wraps in uint8 and fails in bool"
_DIAGONAL = (
    "PyTorch's gradient has an imaginary diagonal too, which no Hermitian matrix can follow; here it is Hermitian"
)
_INFINITE = "which part of an infinite complex number is NaN is nobody's promise, and differs between libraries of C"
_DIRECTION = "PyTorch's direction of an infinite number is inf / inf, NaN; here it is that of its infinite part"
_KIND = "of nothing an index names nothing, and both refuse it; an index out of range is an IndexError here, everywhere"
_RANGE = "an argument out of range is a RuntimeError here; PyTorch has an IndexError for it where there are no elements"
_UNCHECKED = "PyTorch does not look at the dimension where there are no elements; here it must exist all the same"
_NO_LOSS = "the mean over rows with no class is 0 / 0 in PyTorch; here it is the mean of the rows' losses, each zero"
_NO_CLASSES = "one dimension is one row, whose class is out of range here; PyTorch compares batch sizes first"
_DEPENDENT = (
    "dependent columns have no derivative (torch.linalg.qr), and are refused; PyTorch divides by rounding errors"
)
_SIGMOID = "torch.nn.functional.hardsigmoid(x * 2)"
_HARD = "PyTorch has no second derivative of hardsigmoid; here it is zero"
_PARTS = "PyTorch gives the real operand of a choice among complex numbers a complex gradient, and refuses it"
_POLES = "at a pole PyTorch gives some huge number, and at infinity NaN; here they are infinite and zero"
_DISTANCES = "PyTorch's cdist has no second derivative; here it is a norm of differences"
_NANS = "at NaN the gradient is NaN on one of the two, and zero or a number on the other; nothing is documented"
_LOOKED_UP = "torch.nn.functional.embedding(torch.tensor([0, 1, 1]), x, padding_idx=0, scale_grad_by_freq=True)"
_NLL = "torch.nn.functional.nll_loss(x, torch.zeros(len(x), dtype=torch.int64))"
_SMOOTHED = "torch.nn.functional.cross_entropy(x, x.softmax(1), weight=x[0].detach(), label_smoothing=0.25)"
_SELF = "torch.pow(x, x.abs() + 1) if x.dtype != torch.bool else torch.pow(x, x)"
_MIXED = """float32-complex64 float32-complex128 float64-complex64 float64-complex128 complex64-float32
    complex64-float64 complex128-float32 complex128-float64"""

_SMOOTH = "sinc is smooth at zero; PyTorch's second derivative there is NaN (pytorch#89459, open)"

DIFFERENCES = [
    Difference("torch.clamp_max(x, y)", "two", "rows scalar special", "gradient", _SHARED),
    Difference("torch.clamp_min(x, y)", "two", "rows scalar special", "gradient", _SHARED),
    Difference("x.clamp(x * 0, x * 0 + 1)", "every type", "float32 float64", "gradient", _SHARED),
    Difference("x.clamp(x * 0, x * 0 + 1)", "real", "backward special turned", "gradient", _SHARED),
    Difference("x.clamp(y + 1, y)", "two", "special", "gradient", _SHARED),
    Difference("x.clamp(y, y + 1)", "two", "rows scalar special", "gradient", _SHARED),
    Difference("torch.sinc(x)", "real", "special turned backward", "second", _SMOOTH),
    Difference("torch.sinc(x)", "complex", "complex", "second", _SMOOTH),
    Difference("x.pow(0.5)", "real", "special", "gradient", _ROOT),
    Difference("x.clamp(-1, 1)", "real", "special turned backward", "gradient", _BOUND),
    Difference("x.clamp(max=0.5)", "real", "special turned backward", "gradient", _BOUND),
    Difference("x.clone().clamp_(-1, 1)", "real", "special turned backward", "gradient", _BOUND),
    Difference("x.clamp(-1, 1)", "every type", "float32 float64", "gradient", _BOUND),
    Difference("3 % x", "real", "special scalar empty turned backward", "error", _REMAINDER),
    Difference("x.norm(0.5)", "real", "turned backward", "second", _SLOPE),
    Difference("x.norm(1.5, dim=1)", "along", "ties turned", "second", _SLOPE),
    Difference("torch.linalg.vector_norm(x, 0.5)", "along", "ties turned", "second", _SLOPE),
    Difference("torch.digamma(x)", "real", "special", "gradient second", _POLES),
    Difference("torch.digamma(x)", "real", "turned backward", "gradient", _POLES),
    Difference(_SIGMOID, "real", "backward empty scalar special turned", "error", _HARD),
    Difference("torch.lgamma(x)", "real", "special turned backward", "second", _POLES),
    Difference("torch.polygamma(1, x.abs() + 0.25)", "real", "special", "gradient second", _POLES),
    Difference("torch.cdist(x, x[:1] * 2)", "along", "ties turned infinite nan rows columns", "error", _DISTANCES),
    Difference("x.var()", "complex", "scalar", "second", _ONE),
    Difference("x.var()", "scalar", "scalar", "second", _ONE),
    Difference("x**y", "two complex", "complex", "gradient", _ZERO),
    Difference("x.topk(2).values", "along", "ties turned", "gradient", _UNSET),
    Difference("x.kthvalue(2).values", "along", "ties turned infinite", "gradient", _UNSET),
    Difference("x.mode(1).values", "along", "nan", "value gradient", _MODE),
    Difference("x.prod()", "along", "infinite", "gradient", _DIVIDES),
    Difference("x.prod(1)", "along", "infinite nan", "gradient second", _DIVIDES),
    Difference("x.prod(0, keepdim=True)", "along", "infinite nan", "gradient second", _DIVIDES),
    Difference("x.cumprod(1)", "along", "infinite nan", "gradient second", _DIVIDES),
    Difference("x.cumprod(0)", "along", "infinite nan", "gradient second", _DIVIDES),
    Difference("x ** y", "powers", "negative", "gradient second", _ZERO),
    Difference("x.abs() ** y", "powers", "negative", "gradient second", _ZERO),
    Difference(_SELF, "every type", "complex64 complex128", "gradient second", _ZERO),
    Difference("x.prod()", "with nan", "nan", "gradient second", _DIVIDES),
    Difference("x.var(dim=0)", "every size", "scalar", "second", _ONE),
    Difference("x.var(dim=-1)", "every size", "scalar", "second", _ONE),
    Difference("x.det()", "singular", "zero", "second", _FLAT),
    Difference("x.det()", "with nan", "nan", "second", _FLAT),
    Difference("torch.hypot(x, y)", "two", "rows", "gradient second", _HYPOTENUSE),
    Difference("0.0**x", "real", "backward scalar special turned", "second", _ZERO),
    Difference("torch.pow(x, y)", "two", "rows", "second", _ZERO),
    Difference(_SELF, "every type", "float32 float64", "second", _ZERO),
    Difference("torch.linalg.qr(x).R", "singular", "flat one zero", "error", _DEPENDENT),
    Difference("torch.log2(x)", "complex", "infinite", "value", _INFINITE),
    Difference("x.cumprod(0)", "complex", "infinite", "value", _INFINITE),
    Difference("x**0.5", "complex", "infinite", "gradient", _INFINITE),
    Difference("torch.sgn(x)", "complex", "infinite", "value gradient second", _DIRECTION),
    Difference("torch.abs(x)", "complex", "infinite", "gradient second", _DIRECTION),
    Difference("x.norm(1)", "complex", "infinite", "gradient second", _DIRECTION),
    Difference("x.norm(float('inf'))", "complex", "infinite", "gradient second", _DIRECTION),
    Difference("x.kthvalue(2).values", "along", "columns nothing", "error", _RANGE),
    Difference(_LOOKED_UP, "along", "rows nothing", "error", _KIND),
    Difference("torch.nn.functional.cross_entropy(x, x.softmax(1))", "along", "columns", "value", _NO_LOSS),
    Difference(_SMOOTHED, "along", "columns", "value", _NO_LOSS),
    Difference(_NLL, "along", "nothing", "error", _NO_CLASSES),
    Difference("torch.where(x != 0, x, y)", "types", _MIXED, "error", _PARTS),
    Difference("torch.atan2(x, y)", "types", "bool-float32 bool-float64", "error", _UNSIGNED),
    Difference("torch.atan2(x, y)", "types", "uint8-float32 uint8-float64", "gradient second", _UNSIGNED),
]
