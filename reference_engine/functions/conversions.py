"""Conversions of a tensor: to other dtypes, numbers, arrays, copies."""
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from .. import primitives as o
from ..core import dtypes
from ..core.aliases import Array
from ..core.tensor import Tensor
from . import creation, shaping

CASTS = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "int": dtypes.int32,
    "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}  # fmt: skip


def to(self: Tensor, target: Any = None, *, dtype: Any = None, device: object = "cpu", copy: bool = False) -> Tensor:
    """Converted to a dtype (or another tensor's); itself if nothing changes (torch.Tensor.to).

    RuntimeError for a device that is not the CPU.
    """
    device = target if isinstance(target, str) else device
    if str(device).partition(":")[0] != "cpu":
        raise RuntimeError(f"this engine computes on the CPU only, but got device {str(device)!r}")
    dtype = target.dtype if isinstance(target, Tensor) else target if isinstance(target, dtypes.dtype) else dtype
    # The tensor itself if nothing changes: a program may rely on identity.
    if dtype is None or dtype is self.dtype:
        return o.clone(self) if copy else self
    return o.cast(self, dtype=dtype.numpy)


def casting(dtype: dtypes.dtype) -> Callable[[Tensor], Tensor]:
    """The method that converts to a dtype."""
    return lambda self: to(self, dtype)


def item(self: Tensor) -> Any:
    """The only element, as a Python number; RuntimeError if there are more (torch.Tensor.item)."""
    if self.array.size != 1:
        raise RuntimeError(
            f"a Tensor with {self.array.size} elements cannot be converted to Scalar: index or reduce it first"
        )
    return self.array.item()


def truth(self: Tensor) -> bool:
    """The only element as a bool; RuntimeError if there are more."""
    if self.array.size != 1:
        raise RuntimeError(
            f"Boolean value of Tensor with more than one value (or with none) is ambiguous: this one has "
            f"{self.array.size}; use .any() or .all()"
        )
    return bool(self.array.item())


def index(self: Tensor) -> int:
    """The value of an integer tensor of a single element; TypeError for any other."""
    if self.array.size != 1 or self.array.dtype.kind not in "iub":
        raise TypeError(f"only integer tensors of a single element can be converted to an index, but got {self.dtype}")
    return int(self.array.item())


def numpy(self: Tensor, *, force: bool = False) -> Array:
    """The array, sharing memory; RuntimeError if a gradient would be lost (torch.Tensor.numpy)."""
    if self.requires_grad and not force:
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad: NumPy would lose the gradient. "
            "Use tensor.detach().numpy() instead."
        )
    return self.array


def as_array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    """The array for ``numpy.asarray``."""
    # By `numpy`, which raises an error for a tensor that requires grad.
    values = numpy(self)
    values = values if dtype is None else values.astype(dtype, copy=False)
    return values.copy() if copy else values


def dlpack(self: Tensor, **options: Any) -> Any:
    """A capsule by which another library shares the memory; BufferError if that would lose a history."""
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    return self.array.__dlpack__(**options)


def as_subclass(self: Tensor, cls: type[Tensor]) -> Tensor:
    """The same memory and history as an instance of a subclass (torch.Tensor.as_subclass)."""
    made = shaping.view(self, self.array.shape)
    # A view first: the class of the original must not change.
    made.__class__ = cls
    return made


def length(self: Tensor) -> int:
    """The size of the first dimension."""
    return len(self.array)


def iterate(self: Tensor) -> Iterator[Tensor]:
    """The slices along the first dimension; TypeError if there is none."""
    if not self.array.ndim:
        raise TypeError("iteration over a 0-d tensor: use .item() for its value")
    # Views by one node, so that the derivative goes back to the whole tensor once.
    return iter(shaping.unbind(self, 0))


def deepcopied(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf with a copy of the memory and of the gradient; RuntimeError for a tensor that was computed."""
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (leaves) support the deepcopy protocol: detach() it first"
        )
    # Past the constructor, which subclasses may have changed.
    twin = self.__class__.__new__(self.__class__)
    twin.__dict__.update(creation.finish(self.array.copy(), None, self._requires_grad).__dict__)
    twin._grad = copy.deepcopy(self._grad, memo)
    return twin


def version(self: Tensor) -> int:
    """Number of in-place changes of the memory; RuntimeError for inference tensors, which do not count."""
    if self.inference:
        raise RuntimeError("Inference tensors do not track version counter: clone() one to get a normal tensor")
    return self.version.value


def stride(self: Tensor, dim: int | None = None) -> Any:
    """Strides, in elements, along a dimension or all (torch.Tensor.stride)."""
    steps = tuple(s // self.array.itemsize for s in self.array.strides)
    return steps if dim is None else steps[dim]
