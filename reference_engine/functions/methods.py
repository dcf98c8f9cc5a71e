"""Everything that a program can say with a dot: methods, in-place methods and the remaining operators of Tensor.

A method is a function with the tensor first; its in-place form is the same primitive written back. So this module
is mostly two lists of names.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import warn
from ..core.inplace import inplace
from ..core.primitive import Primitive
from ..core.tensor import Tensor
from . import indexing, pointwise, products, reducing, shaping
from .calling import overriding

_METHODS = {
    pointwise: """
        exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh sqrt rsqrt reciprocal
        sigmoid relu erf neg abs sign sgn floor ceil round trunc isnan isinf isfinite logical_not angle
        mul div pow maximum minimum atan2 eq ne lt le gt ge remainder floor_divide logical_and
        logical_or add sub square clamp clip lerp addcmul addcdiv conj masked_fill clone multiply
        true_divide absolute negative
    """,
    reducing: """sum mean prod amax amin max min sort argmax argmin cumsum logsumexp softmax log_softmax
        norm var std all any""",
    shaping: """reshape view flatten permute transpose t expand squeeze unsqueeze flip roll tril triu diagonal unbind
        split chunk narrow select""",
    indexing: "gather index_select index_put index_add",
    products: "mm mv dot bmm matmul outer trace inverse det",
}
_INPLACE = [
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sigmoid",
    "relu",
    "erf",
    "neg",
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "trunc",
    "mul",
    "div",
    "pow",
    "remainder",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "lerp",
]


def _inplace_method(primitive: Primitive) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any) -> Tensor:
        return inplace(self, primitive, self, *args)

    method.__name__ = primitive.name + "_"
    method.__doc__ = f"{primitive.name} in place; RuntimeError on a leaf that requires grad."
    return method


def add_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Add ``alpha * other`` in place (torch.Tensor.add_)."""
    return inplace(self, o.add, self, other if alpha == 1 else o.mul(other, alpha))


def sub_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Subtract ``alpha * other`` in place (torch.Tensor.sub_)."""
    return inplace(self, o.sub, self, other if alpha == 1 else o.mul(other, alpha))


def addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add ``value * tensor1 * tensor2`` in place (torch.Tensor.addcmul_)."""
    return add_(self, o.mul(tensor1, tensor2), alpha=value)


def addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add ``value * tensor1 / tensor2`` in place (torch.Tensor.addcdiv_)."""
    return add_(self, o.div(tensor1, tensor2), alpha=value)


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Take over the values of `src`, broadcast and converted; recorded (torch.Tensor.copy_)."""
    return inplace(self, o.overwrite, self, src)


def fill_(self: Tensor, value: Any) -> Tensor:
    """Become one value everywhere (torch.Tensor.fill_)."""
    return inplace(self, o.fill, self, value)


def zero_(self: Tensor) -> Tensor:
    """Become zero everywhere (torch.Tensor.zero_)."""
    return inplace(self, o.zero, self)


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clamp in place (torch.Tensor.clamp_)."""
    return inplace(self, o.clamp, self, min=min, max=max)


def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Put a value where the mask holds, in place (torch.Tensor.masked_fill_)."""
    return inplace(self, o.masked_fill, self, value, mask=mask.array)


def index_put_(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """Store, or add, values at indices in place (torch.Tensor.index_put_)."""
    parts = tuple(i.array.copy() if isinstance(i, Tensor) else i for i in indices)
    return inplace(self, o.index_put, self, values, index=parts, accumulate=accumulate)


def index_add_(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add slices at indices along a dimension, in place (torch.Tensor.index_add_)."""
    where = (slice(None),) * (dim % self.ndim) + (index.array.copy(),)
    return inplace(self, o.index_put, self, source * alpha, index=where, accumulate=True)


def detach(self: Tensor) -> Tensor:
    """The same memory and version counter, outside the graph (torch.Tensor.detach)."""
    return self.alias()


def detach_(self: Tensor) -> Tensor:
    """Take the tensor itself out of the graph: from now on a leaf that does not require grad (torch.Tensor.detach_)."""
    if self.link is not None:
        raise RuntimeError("Can't detach views in-place: the base would still have the history. Use detach() instead.")
    self._node, self.output, self._requires_grad, self.retains_grad = None, 0, False, False
    return self


def _data(self: Tensor) -> Tensor:
    """The same memory outside the graph and out of the version counter's sight (torch.Tensor.data)."""
    return Tensor.of(self.array)


def _set_data(self: Tensor, value: Tensor) -> None:
    self.array = value.array


def _volatile(self: Tensor) -> bool:
    """Always False: the flag was removed in PyTorch 0.4. Reading it warns."""
    warn.user("volatile was removed (Variable.volatile is always False): use `with torch.no_grad():` instead")
    return False


def _set_volatile(self: Tensor, value: Any) -> None:
    warn.user("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")


def _deferring(method: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that lets the other operand's class take over, or try its own reflected operator."""

    def operator(self: Tensor, other: Any) -> Any:
        if overriding(other):
            return type(other).__torch_function__(operator, (type(other),), (self, other), {})
        if isinstance(other, (Tensor, bool, int, float, complex, np.ndarray, np.generic)):
            return method(self, other)
        return NotImplemented

    operator.__name__ = method.name if isinstance(method, Primitive) else method.__name__
    return operator


def _reversed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: function(other, self)
