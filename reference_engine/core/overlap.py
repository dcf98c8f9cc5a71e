"""Memory that is named twice: equal addresses within a tensor, and tensors that share a part of their memory.

Writing to either would depend on the order in which elements are written, so it raises an error. Where it is hard to
tell whether two tensors with gaps meet, PyTorch does not look, and neither does this (torch.Tensor, in-place forms).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .aliases import Array
from .regions import address
from .tensor import Tensor

# Every element becomes the same, in any order.
_IN_ANY_ORDER = {"fill", "zero"}
# These read all before they write, or have always been let pass.
_MAY_SHARE = {"fill", "masked_fill", "masked_scatter", "addmm", "addmv", "addbmm", "baddbmm", "cumsum", "cumprod"}
_BY_INDEX = {"index_add", "index_copy", "index_put", "scatter", "put_along", "scatter_add", "scatter_reduce"}


def check_writable(array: Array, name: str) -> None:
    """RuntimeError if several elements of an array that is to be written share an address, as after `expand`."""
    if name not in _IN_ANY_ORDER and array.size and repeats(array):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location (it was expanded). clone() it before writing."
        )


def repeats(array: Array) -> bool:
    """Whether elements are repeated along some dimension without being copied."""
    return any(step == 0 and n > 1 for step, n in zip(array.strides, array.shape, strict=True))


def meets_itself(array: Array) -> bool:
    """Whether some place in memory may be named twice, as it never may after slices and transposes."""
    extent = array.itemsize
    for step, n in sorted(zip(array.strides, array.shape, strict=True)):
        if n > 1:
            if step < extent:
                return True
            extent += step * (n - 1)
    return False


def check_sources(target: Array, sources: Iterable[Any], name: str) -> None:
    """RuntimeError if an operand shares a part of its memory with the array that is to be written."""
    if name in _MAY_SHARE:
        return
    for source in sources:
        if type(source) is not Tensor or not np.may_share_memory(source.array, target):
            continue
        if _interleave(source.array, target) and (name in _BY_INDEX or not _coincide(source.array, target)):
            raise RuntimeError(
                "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                "single memory location. clone() the input before writing."
            )


def _coincide(a: Array, b: Array) -> bool:
    """Whether two arrays name the same places in the same order."""
    return bool(address(a) == address(b) and a.shape == b.shape and a.strides == b.strides)


def _interleave(a: Array, b: Array) -> bool:
    """Whether two arrays without gaps meet."""
    if not (_is_dense(a) and _is_dense(b)):
        return False
    return bool(address(a) < address(b) + b.nbytes and address(b) < address(a) + a.nbytes)


def _is_dense(array: Array) -> bool:
    """Whether the elements fill their memory, each place once."""
    extent = sum(step * (n - 1) for step, n in zip(array.strides, array.shape, strict=True)) + array.itemsize
    return bool(array.size and extent == array.nbytes and not repeats(array))
