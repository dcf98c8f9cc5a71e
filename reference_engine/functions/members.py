"""Members of Tensor beside operations: properties, predicates, Python's own protocols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import primitives as o
from ..autograd.gradients import backward_method
from ..core import dtypes, warn
from ..core.tensor import Size, Tensor
from . import conversions, creation, decompositions, display, indexing, pointwise, shaping


def detach(self: Tensor) -> Tensor:
    """The same memory and version counter, outside the graph (torch.Tensor.detach)."""
    return self.alias()


def detach_(self: Tensor) -> Tensor:
    """Take the tensor itself out of the graph: from now on a leaf that does not require grad (torch.Tensor.detach_)."""
    if self.link is not None:
        raise RuntimeError("Can't detach views in-place: the base would still have the history. Use detach() instead.")
    self.history, self._requires_grad, self.retains_grad = None, False, False
    self.tangents = None  # forward mode does not see what came before, either
    return self


def _data(self: Tensor) -> Tensor:
    """The same memory outside the graph and out of the version counter's sight (torch.Tensor.data)."""
    return Tensor.of(self.array)


def _set_data(self: Tensor, value: Any) -> None:
    """Exchange the memory; TypeError for no tensor, RuntimeError for integers where a gradient is wanted."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if self.requires_grad and not value.dtype.differentiable:
        raise RuntimeError(
            f"data set to a tensor that requires gradients must be floating point or complex, but got {value.dtype}"
        )
    if value.dtype != self.dtype:
        # The present accumulator expects cotangents of the type that the tensor had until now.
        self._accumulator = Tensor._accumulator
    self.array = value.array


def _grad_dtype(self: Tensor) -> Any:
    if not self.is_leaf:
        raise RuntimeError("grad_dtype can only be accessed on leaf tensors: the gradient of this one is not kept")
    dtype = self.gradient_form[1]
    return None if dtype is None else dtypes.of_numpy(dtype)


def _set_grad_dtype(self: Tensor, value: Any) -> None:
    if not self.is_leaf:
        raise RuntimeError("grad_dtype can only be set on leaf tensors: the gradient of this one is not kept")
    self._grad_dtype = value and value.numpy
    # The present accumulator expects cotangents of the type that the gradient had until now.
    self._accumulator = Tensor._accumulator


def _volatile(self: Tensor) -> bool:
    """Always False: the flag was removed in PyTorch 0.4. Reading it warns."""
    warn.user("volatile was removed (Variable.volatile is always False): use `with torch.no_grad():` instead")
    return False


def _set_volatile(self: Tensor, value: Any) -> None:
    warn.user("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")


PROPERTIES: dict[str, property] = {
    "shape": property(lambda x: Size(x.array.shape), doc="The size along each dimension (torch.Tensor.shape)."),
    "ndim": property(lambda x: x.array.ndim, doc="The number of dimensions (torch.Tensor.ndim)."),
    "dtype": property(lambda x: dtypes.of(x.array), doc="The type of the elements (torch.Tensor.dtype)."),
    "device": property(lambda x: "cpu", doc="Where it is: always the CPU (torch.Tensor.device)."),
    "T": property(lambda x: shaping.permute(x, tuple(range(x.ndim))[::-1]), doc="Dimensions in reverse order."),
    "mT": property(lambda x: decompositions.transposed("mT", x), doc="The last two dimensions exchanged."),
    "H": property(lambda x: o.conj(decompositions.transposed("H", x, 2)), doc="The conjugate transpose of a matrix."),
    "mH": property(decompositions.adjoint, doc="The conjugate transpose of the last two dimensions (torch.Tensor.mH)."),
    "real": property(pointwise.real, doc="The real part, a view (torch.Tensor.real)."),
    "imag": property(pointwise.imag, doc="The imaginary part, a view (torch.Tensor.imag)."),
    "data": property(_data, _set_data),
    "grad_dtype": property(
        _grad_dtype, _set_grad_dtype, doc="The dtype of `grad`; None: any (torch.Tensor.grad_dtype)."
    ),
    "volatile": property(_volatile, _set_volatile),
    "_version": property(conversions.version, doc="How often the memory was changed in place."),
    "_base": property(lambda x: None if x.link is None else x.link.base, doc="The tensor that a view looks into."),
}

METHODS: dict[str, Callable[..., Any]] = {
    **{name: conversions.casting(dtype) for name, dtype in conversions.CASTS.items()},
    "backward": backward_method, "detach": detach, "detach_": detach_, "to": conversions.to,
    "item": conversions.item, "numpy": conversions.numpy, "tolist": lambda x: x.array.tolist(),
    "size": lambda x, dim=None: Size(x.array.shape) if dim is None else x.array.shape[dim],
    "dim": lambda x: x.array.ndim, "numel": lambda x: x.array.size, "nelement": lambda x: x.array.size,
    "stride": conversions.stride,
    "is_contiguous": lambda x: bool(x.array.flags.c_contiguous),
    "contiguous": lambda x: x if x.array.flags.c_contiguous else o.contiguous(x),
    "expand_as": lambda x, other: shaping.expand(x, tuple(other.shape)),
    "view_as": lambda x, other: shaping.view(x, tuple(other.shape)),
    "new_tensor": creation.new_tensor, "data_ptr": lambda x: x.array.__array_interface__["data"][0],
    "is_floating_point": lambda x: x.dtype.is_floating_point, "is_complex": lambda x: x.dtype.is_complex,
    "is_inference": lambda x: x.inference, "_is_view": lambda x: x.link is not None,
    "__neg__": lambda x: o.neg(x), "__pos__": lambda x: x, "__abs__": lambda x: o.abs(x),
    "__bool__": conversions.truth, "__index__": conversions.index,
    "__float__": lambda x: float(x.item()), "__int__": lambda x: int(x.item()), "__array__": conversions.as_array,
    "__getitem__": indexing.getitem, "__setitem__": indexing.setitem, "__len__": conversions.length,
    "__iter__": conversions.iterate,
    "as_subclass": conversions.as_subclass, "__deepcopy__": conversions.deepcopied, "__hash__": lambda x: id(x),
    "__dlpack__": conversions.dlpack, "__dlpack_device__": lambda x: x.array.__dlpack_device__(),
    "__repr__": lambda x: display.represent(x),
    "__format__": lambda x, spec: repr(x) if x.ndim else format(x.item(), spec),
}  # fmt: skip
