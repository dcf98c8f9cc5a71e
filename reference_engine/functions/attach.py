"""Hang the methods onto Tensor: which name does what. Imported once, for its effect."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from ..autograd import gradients
from ..core import dtypes
from ..core.tensor import Size, Tensor
from . import (
    comparing,
    converting,
    decomposing,
    display,
    indexing,
    info,
    methods,
    pointwise,
    products,
    shaping,
    striding,
)

_BY_NAME = [
    "as_strided_", "contiguous", "copy_", "detach", "detach_", "expand_as", "fill_", "fill_diagonal_", "item",
    "normal_", "numpy", "reshape_as", "size", "squeeze_", "stride", "sum_to_size", "swapaxes_", "swapdims_", "t_", "to",
    "transpose_", "type", "type_as", "uniform_", "unsqueeze_", "view_as", "where", "zero_",
]  # fmt: skip
_CASTS = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "int": dtypes.int32,
    "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}  # fmt: skip

for _module, _names in methods._METHODS.items():
    for _name in _names.split():
        setattr(Tensor, _name, getattr(_module, _name))
for _module, _names in methods._INPLACE.items():
    for _name in _names.split():
        setattr(Tensor, _name + "_", methods._inplace_method(_name, getattr(_module, _name)))
for _name in _BY_NAME:
    setattr(Tensor, _name, getattr(methods, _name, None) or getattr(converting, _name))
setattr(Tensor, "svd", decomposing.svd_transposed)  # noqa: B010, whose name as a function is another's
for _name, _dtype in _CASTS.items():
    setattr(Tensor, _name, converting.casting(_dtype))


_PROPERTIES = {
    "shape": (lambda x: Size(x.array.shape), "The size along each dimension (torch.Tensor.shape)."),
    "ndim": (lambda x: x.array.ndim, "The number of dimensions (torch.Tensor.ndim)."),
    "dtype": (lambda x: dtypes.of(x.array), "The type of the elements (torch.Tensor.dtype)."),
    "device": (lambda x: info.device("cpu"), "Where the elements are: always the CPU (torch.Tensor.device)."),
    "T": (
        lambda x: shaping.permute(x, tuple(range(x.ndim))[::-1]),
        "Dimensions in reverse order (torch.Tensor.T).",
    ),
    "mT": (lambda x: decomposing.transposed("mT", x), "The last two dimensions exchanged (torch.Tensor.mT)."),
    "H": (lambda x: o.conj(decomposing.transposed("H", x, 2)), "The conjugate transpose of a matrix (torch.Tensor.H)."),
    "mH": (decomposing.adjoint, "The conjugate transpose of the last two dimensions (torch.Tensor.mH)."),
    "layout": (lambda x: info.strided, "How elements lie in memory (torch.Tensor.layout)."),
    "itemsize": (lambda x: x.array.itemsize, "Bytes per element (torch.Tensor.itemsize)."),
    "nbytes": (lambda x: x.array.nbytes, "Bytes of all elements (torch.Tensor.nbytes)."),
    "real": (pointwise.real, "The real part, a view (torch.Tensor.real)."),
    "imag": (pointwise.imag, "The imaginary part, a view (torch.Tensor.imag)."),
    "_version": (lambda x: converting.version_of(x), "How often the memory was changed in place."),
    "_base": (lambda x: None if x.link is None else x.link.base, "The tensor whose memory a view looks at."),
}
for _name, (_get, _doc) in _PROPERTIES.items():
    setattr(Tensor, _name, property(_get, doc=_doc))
Tensor.backward = gradients.backward_method
Tensor.data = property(methods._data, methods._set_data)
Tensor.volatile = property(methods._volatile, methods._set_volatile)

_QUESTIONS = {
    "numel": lambda x: x.array.size,
    "nelement": lambda x: x.array.size,
    "dim": lambda x: x.array.ndim,
    "tolist": lambda x: x.array.tolist(),
    "ndimension": lambda x: x.array.ndim,
    "is_contiguous": lambda x, memory_format=None: bool(x.array.flags.c_contiguous),
    "is_signed": lambda x: x.array.dtype.kind not in "ub",
    "is_same_size": comparing.same_size,
    "get_device": lambda x: -1,
    "storage_offset": lambda x: striding.storage_offset(x),
    "is_inference": lambda x: x.inference,
    "data_ptr": lambda x: x.array.__array_interface__["data"][0],
    "element_size": lambda x: x.array.itemsize,
    "_is_view": lambda x: x.link is not None,
    "cpu": lambda x: x,
}
for _name, _ask in _QUESTIONS.items():
    setattr(Tensor, _name, _ask)

_OPERATORS: dict[str, Any] = {
    "__add__": o.add, "__radd__": o.add, "__mul__": o.mul, "__rmul__": o.mul, "__sub__": o.sub, "__truediv__": o.div,
    "__pow__": o.pow, "__rsub__": methods._reversed(o.sub), "__rtruediv__": lambda x, y: o.mul(o.reciprocal(x), y),
    "__rpow__": methods._reversed(o.pow), "__matmul__": products.matmul,
    "__rmatmul__": methods._reversed(products.matmul),
    "__eq__": o.eq, "__ne__": o.ne, "__lt__": o.lt, "__le__": o.le, "__gt__": o.gt, "__ge__": o.ge,
    "__mod__": o.remainder, "__rmod__": methods._reversed(o.remainder), "__floordiv__": o.floor_divide,
    "__rfloordiv__": methods._reversed(o.floor_divide), "__and__": o.bitwise_and, "__rand__": o.bitwise_and,
    "__or__": o.bitwise_or, "__ror__": o.bitwise_or, "__xor__": o.bitwise_xor, "__rxor__": o.bitwise_xor,
    "__lshift__": o.bitwise_left_shift, "__rshift__": o.bitwise_right_shift,
}  # fmt: skip
_IN_PLACE = {
    "add": "add_", "sub": "sub_", "mul": "mul_", "truediv": "div_", "pow": "pow_", "floordiv": "floor_divide_",
    "mod": "remainder_", "and": "bitwise_and_", "or": "bitwise_or_", "xor": "bitwise_xor_",
}  # fmt: skip
for _name, _written in _IN_PLACE.items():
    _OPERATORS[f"__i{_name}__"] = getattr(Tensor, _written)
for _name, _operation in _OPERATORS.items():
    setattr(Tensor, _name, methods._deferring(_operation))

_PROTOCOLS: dict[str, Any] = {
    "__neg__": o.neg, "__pos__": lambda x: x, "__abs__": o.abs, "__invert__": comparing.invert,
    "__getitem__": indexing.getitem, "__setitem__": indexing.setitem, "__len__": converting.length,
    "__reversed__": lambda x: shaping.flip(x, *range(x.ndim)),
    "__iter__": converting.iterate, "__bool__": converting.truth, "__float__": converting.real_number_of,
    "__int__": lambda x: int(converting.number_of(x)), "__complex__": lambda x: complex(converting.number_of(x)),
    "__index__": lambda x: converting.index_of(x), "__array__": converting.as_array,
    "__deepcopy__": converting.deepcopy_of, "__reduce_ex__": converting.reduced, "__dlpack__": converting.dlpack_of,
    "__dlpack_device__": lambda x: x.array.__dlpack_device__(),
    "__repr__": display.represent, "__contains__": lambda x, v: bool(np.any(x.array == getattr(v, "array", v))),
    "__format__": lambda x, spec: repr(x) if x.ndim else format(x.item(), spec), "__hash__": lambda x: id(x),
}  # fmt: skip
for _name, _operation in _PROTOCOLS.items():
    setattr(Tensor, _name, (lambda f: lambda *a, **k: f(*a, **k))(_operation))
