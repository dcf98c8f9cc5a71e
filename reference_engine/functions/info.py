"""What is known about types and devices, without any tensor: limits, promotion, kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.tensor import Tensor

__all__ = [
    "can_cast", "contiguous_format", "device", "finfo", "iinfo", "is_complex", "is_floating_point", "is_nonzero",
    "layout", "memory_format", "preserve_format", "result_type", "strided",
]  # fmt: skip


class device:
    """Where a tensor is (torch.device). Any may be named; this engine has only the CPU."""

    def __init__(self, type: Any, index: int | None = None) -> None:
        name, _, number = str(type).partition(":")
        self.type, self.index = name, int(number) if number else index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type={self.type!r}" + (")" if self.index is None else f", index={self.index})")


def on_cpu(target: Any) -> None:
    """RuntimeError unless a device is the CPU, or none is named."""
    if target is not None and device(target).type != "cpu":
        raise RuntimeError(f"this engine computes on the CPU only, but got device {str(target)!r}")


class layout:
    """How elements lie in memory (torch.layout)."""

    def __repr__(self) -> str:
        return "torch.strided"


class memory_format:
    """In which order the dimensions lie in memory (torch.memory_format)."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


strided = layout()
contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")


class finfo:
    """The limits of a floating type: bits, eps, max, min, tiny, resolution (torch.finfo)."""

    def __init__(self, type: dtypes.dtype | None = None) -> None:
        chosen = type or dtypes.get_default_dtype()
        if not chosen.differentiable:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo for {chosen}")
        known: Any = np.finfo(chosen.numpy)
        self.bits, self.dtype = int(known.bits), str(known.dtype)
        self.eps, self.max, self.min = float(known.eps), float(known.max), float(known.min)
        self.tiny = self.smallest_normal = float(known.tiny)
        self.resolution = float(known.resolution)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, eps={self.eps}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer type: bits, max, min (torch.iinfo)."""

    def __init__(self, type: dtypes.dtype) -> None:
        if type.category != dtypes.INTEGER:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo for {type}")
        known = np.iinfo(type.numpy)
        self.bits, self.dtype, self.max, self.min = known.bits, type.name, int(known.max), int(known.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The dtype in which an operation on two tensors or numbers is computed (torch.result_type)."""
    return dtypes.result_type([v.array if isinstance(v, Tensor) else v for v in (tensor1, tensor2)])


def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> bool:
    """Whether operations in place may convert from one type to the other: not to a lower category (torch.can_cast)."""
    return from_.category <= to.category


def is_floating_point(input: Tensor) -> bool:
    """Whether a tensor has a floating type (torch.is_floating_point)."""
    return bool(input.dtype.is_floating_point)


def is_complex(input: Tensor) -> bool:
    """Whether a tensor has a complex type (torch.is_complex)."""
    return bool(input.dtype.is_complex)


def is_nonzero(input: Tensor) -> bool:
    """Whether a single element is not zero; RuntimeError for more or none (torch.is_nonzero)."""
    return bool(input)
