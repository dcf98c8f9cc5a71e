"""Data types under PyTorch's names, and the rule of type promotion.

A tensor's numbers live in a NumPy array, so a dtype here is a name for a NumPy dtype plus a *category*: bool,
integer, floating or complex, in rising order. Promotion (Tensor attributes, torch.dtype) looks at categories
first: tensors with dimensions outrank tensors without, and both outrank Python numbers, unless the lower rank
has the higher category. So ``float32 tensor * 2.0`` stays float32, and ``int64 tensor * 2.0`` becomes the
default float type, never float64 by accident.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from .aliases import Array

BOOL, INTEGER, FLOATING, COMPLEX = range(4)
_CATEGORY_OF_KIND = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING, "c": COMPLEX}


class dtype:
    """A type of numbers, such as ``float32``; compare with ``is`` or ``==`` (Tensor attributes, torch.dtype)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.numpy = np.dtype(name)
        self.category = _CATEGORY_OF_KIND[self.numpy.kind]
        self.is_floating_point = self.category == FLOATING
        self.is_complex = self.category == COMPLEX
        self.itemsize = self.numpy.itemsize

    @property
    def differentiable(self) -> bool:
        """Whether values of this type can require grad: floating or complex."""
        return self.category >= FLOATING

    def __repr__(self) -> str:
        return f"torch.{self.name}"


float16, float32, float64 = dtype("float16"), dtype("float32"), dtype("float64")
complex64, complex128 = dtype("complex64"), dtype("complex128")
uint8, int8, int16, int32, int64 = (dtype(n) for n in ("uint8", "int8", "int16", "int32", "int64"))
bool_ = dtype("bool")

_ALL = (float16, float32, float64, complex64, complex128, uint8, int8, int16, int32, int64, bool_)
_OF_NUMPY = {d.numpy: d for d in _ALL}
_COMPLEX_OF = {float16: complex64, float32: complex64, float64: complex128}
_PYTHON = {bool: bool_, int: int64}

_default: list[dtype] = [float32]


def get_default_dtype() -> dtype:
    """The floating type given to Python floats: float32 unless changed (torch.get_default_dtype)."""
    return _default[0]


def set_default_dtype(d: dtype) -> None:
    """Choose the floating type given to Python floats; TypeError unless it is floating (torch.set_default_dtype)."""
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError(f"the default dtype must be a floating one such as torch.float64, but got {d!r}")
    _default[0] = d


def default_complex() -> dtype:
    """The complex type whose parts have the default floating type."""
    return _COMPLEX_OF[_default[0]]


def of(array: Array) -> dtype:
    """The dtype of an array, as PyTorch names it; TypeError for types that it has no name for."""
    return of_numpy(array.dtype)


def of_numpy(type_: Any) -> dtype:
    """A dtype of NumPy, as PyTorch names it; TypeError for types that it has no name for."""
    try:
        return _OF_NUMPY[type_]
    except KeyError:
        raise TypeError(f"no torch dtype corresponds to NumPy's {type_}; convert the array first") from None


def of_number(value: Any) -> dtype:
    """The dtype that a Python number takes when a tensor is made of it."""
    # The exact type decides: to Python, True is an int too.
    if isinstance(value, (bool, int)):
        return _PYTHON.get(type(value), int64)
    return default_complex() if isinstance(value, complex) else _default[0]


def category(value: Any) -> int:
    """The category of an array or Python number."""
    if hasattr(value, "dtype"):
        return _CATEGORY_OF_KIND[value.dtype.kind]
    return of_number(value).category


def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest type that both fit in; integers never widen a floating type (torch.promote_types)."""
    if a.category == b.category:
        return _OF_NUMPY[np.promote_types(a.numpy, b.numpy)]
    low, high = sorted((a, b), key=lambda d: d.category)
    # The real part counts: float64 with complex64 needs complex128.
    if low.is_floating_point:
        return _OF_NUMPY[np.promote_types(_COMPLEX_OF[low].numpy, high.numpy)]
    return high


def result_type(operands: Iterable[Any]) -> dtype:
    """The type in which an operation on arrays and Python numbers is computed (torch.result_type)."""
    ranks: list[list[dtype]] = [[], [], []]
    for value in operands:
        if hasattr(value, "dtype"):
            ranks[0 if value.ndim else 1].append(_OF_NUMPY[value.dtype])
        else:
            ranks[2].append(of_number(value))
    result: dtype | None = None
    for weaker in (functools.reduce(promote_types, rank) for rank in ranks if rank):
        if result is None:
            result = weaker
        elif weaker.category > result.category:
            result = _join(result, weaker)
    assert result is not None, "promotion of no operands"
    return result


def _join(result: dtype, weaker: dtype) -> dtype:
    """Promote, except that a weaker complex operand keeps the precision of the real operand."""
    if weaker.is_complex and result.is_floating_point:
        return _COMPLEX_OF[result]
    return promote_types(result, weaker)


def promoted(values: Iterable[Any], floats: bool) -> list[Array]:
    """All operands in the type that they have in common; integers made floating if `floats`."""
    # NumPy's scalars would count as arrays; they are numbers, which must not raise a tensor's type.
    operands = [v.item() if isinstance(v, np.generic) else v for v in values]
    target = result_type(operands)
    if floats and not target.differentiable:
        target = get_default_dtype()
    return [np.asarray(v).astype(target.numpy, copy=False) for v in operands]
