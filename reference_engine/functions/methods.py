"""Everything that a program can say with a dot: methods, in-place methods and the remaining operators of Tensor.

A method is a function with the tensor first; its in-place form is the same primitive written back. So this module
is mostly two lists of names.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import dtypes, warn
from ..core.inplace import inplace
from ..core.primitive import Primitive
from ..core.tensor import Size, Tensor
from . import creation, indexing, pointwise, products, reducing, shaping
from .calling import overriding

_METHODS = {
    pointwise: """exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh sqrt rsqrt reciprocal sigmoid
        relu erf neg abs sign sgn floor ceil round trunc isnan isinf isfinite logical_not angle mul div pow maximum minimum
        atan2 eq ne lt le gt ge remainder floor_divide logical_and logical_or add sub square clamp clip lerp addcmul
        addcdiv conj masked_fill clone multiply true_divide absolute negative""",
    reducing: "sum mean prod amax amin max min sort argmax argmin cumsum logsumexp softmax log_softmax norm var std all any",
    shaping: """reshape view flatten permute transpose t expand squeeze unsqueeze flip roll tril triu diagonal unbind split
        chunk narrow select""",
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
    method.__doc__ = f"{primitive.name} in place; RuntimeError on a leaf that requires grad (torch.Tensor.{primitive.name}_)."
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
        raise RuntimeError(
            "Can't detach views in-place: the base would still have the history. Use detach() instead."
        )
    self._node, self.output, self._requires_grad, self.retains_grad = None, 0, False, False
    return self


def _data(self: Tensor) -> Tensor:
    """The same memory outside the graph and out of the version counter's sight (torch.Tensor.data)."""
    return Tensor.of(self.array)


def _set_data(self: Tensor, value: Tensor) -> None:
    self.array = value.array


# --- conversion ------------------------------------------------------------------------------------


def to(self: Tensor, *targets: Any, dtype: Any = None, copy: bool = False, **ignored: Any) -> Tensor:
    """Converted to a dtype (or another tensor's); itself if nothing changes (torch.Tensor.to)."""
    for target in targets:
        dtype = (
            target
            if isinstance(target, dtypes.dtype)
            else target.dtype
            if isinstance(target, Tensor)
            else dtype
        )
    if dtype is None or dtype is self.dtype:
        return o.clone(self) if copy else self
    return o.cast(self, dtype=dtype.numpy)


def _casting(dtype: dtypes.dtype) -> Callable[[Tensor], Tensor]:
    def method(self: Tensor) -> Tensor:
        return to(self, dtype)

    method.__doc__ = f"Converted to {dtype} (torch.Tensor.to)."
    return method


def item(self: Tensor) -> Any:
    """The only element, as a Python number; RuntimeError if there are more (torch.Tensor.item)."""
    if self.array.size != 1:
        raise RuntimeError(
            f"a Tensor with {self.array.size} elements cannot be converted to Scalar: index or reduce it first"
        )
    return self.array.item()


def numpy(self: Tensor, *, force: bool = False) -> Any:
    """The array, sharing memory; RuntimeError if a gradient would be lost (torch.Tensor.numpy)."""
    if self.requires_grad and not force:
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad: NumPy would lose the gradient. "
            "Use tensor.detach().numpy() instead."
        )
    return self.array


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    values = numpy(self)
    values = values if dtype is None else values.astype(dtype, copy=False)
    return values.copy() if copy else values


def _truth(self: Tensor) -> bool:
    if self.array.size != 1:
        raise RuntimeError(
            f"Boolean value of Tensor with {'no values' if not self.array.size else 'more than one value'} is ambiguous: "
            "use .any() or .all()"
        )
    return bool(self.array.item())


def _length(self: Tensor) -> int:
    if not self.array.ndim:
        raise TypeError("len() of a 0-d tensor: it has no dimension to count along")
    return len(self.array)


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if not self.array.ndim:
        raise TypeError("iteration over a 0-d tensor: use .item() for its value")
    return iter(shaping.unbind(self, 0))


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol: detach() it first"
        )
    twin = copy.copy(self)
    memo[id(self)] = twin
    twin.__dict__.update(creation.finish(self.array.copy(), None, self._requires_grad).__dict__)
    twin.__dict__.pop("_accumulator", None)
    twin._grad = copy.deepcopy(self._grad, memo)
    return twin


def _volatile(self: Tensor) -> bool:
    """Always False: the flag was removed in PyTorch 0.4. Reading it warns."""
    warn.user("volatile was removed (Variable.volatile is always False): use `with torch.no_grad():` instead")
    return False


def _set_volatile(self: Tensor, value: Any) -> None:
    warn.user("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")


def version_of(self: Tensor) -> int:
    """How often the memory was changed in place; RuntimeError for inference tensors, which do not count."""
    if self.inference:
        raise RuntimeError(
            "Inference tensors do not track version counter: clone() one to get a normal tensor"
        )
    return self.version.value


def index_of(self: Tensor) -> int:
    """The value of an integer tensor of one element; TypeError for any other."""
    if self.array.size != 1 or self.array.dtype.kind not in "iub":
        raise TypeError(
            f"only integer tensors of a single element can be converted to an index, but got {self.dtype}"
        )
    return int(self.array.item())


def stride(self: Tensor, dim: int | None = None) -> Any:
    """Steps in memory, in elements, along one dimension or all (torch.Tensor.stride)."""
    steps = tuple(s // self.array.itemsize for s in self.array.strides)
    return steps if dim is None else steps[dim]


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or one size of it (torch.Tensor.size)."""
    return Size(self.array.shape) if dim is None else self.array.shape[dim]


def contiguous(self: Tensor) -> Tensor:
    """Itself if its elements follow one another in memory, else a copy in which they do (torch.Tensor.contiguous)."""
    return self if self.array.flags.c_contiguous else o.clone(self)


def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """Expanded to another's shape (torch.Tensor.expand_as)."""
    return shaping.expand(self, tuple(other.shape))


def view_as(self: Tensor, other: Tensor) -> Tensor:
    """A view in another's shape (torch.Tensor.view_as)."""
    return shaping.view(self, tuple(other.shape))


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """Reshaped to another's shape (torch.Tensor.reshape_as)."""
    return shaping.reshape(self, tuple(other.shape))


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
