"""``x[index]`` and ``x[index] = value``.

Integers, slices, None and ``...`` look at part of the memory (a view); tensors, arrays and lists of indices copy.
Assignment writes into the view, or in place at the indices, and is recorded as such (torch.Tensor, indexing).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.batched import Batched
from ..batching.per_example import copy_index
from ..core.inplace import inplace
from ..core.tensor import Tensor


def _plain(index: Any) -> Any:
    """An index without Tensors; index arrays are copied, so that changing them later has no effect on backward."""
    if isinstance(index, Tensor):
        return index.array.item() if _is_integer_scalar(index) else copy_index(index)
    if isinstance(index, slice):
        return slice(*(s.array.item() if isinstance(s, Tensor) else s for s in (index.start, index.stop, index.step)))
    # An empty list is float64 to NumPy, which takes no such index.
    if isinstance(index, (list, range)):
        return np.asarray(
            [i.array if isinstance(i, Tensor) else i for i in index], dtype=None if len(index) else np.int64
        )
    return index


def _is_integer_scalar(index: Tensor) -> bool:
    # One that differs from example to example is no integer, but an index for each.
    return not index.array.ndim and index.array.dtype.kind in "iu" and not isinstance(index, Batched)


def _looks(part: Any) -> bool:
    """Whether a part of an index makes a view rather than a copy."""
    is_integer = isinstance(part, (int, np.integer)) and not isinstance(part, bool)
    return part is None or part is Ellipsis or is_integer or isinstance(part, slice)


def _normal(x: Tensor, index: Any) -> tuple[tuple[Any, ...], bool]:
    """The index as a tuple without Tensors, and whether it makes a view; IndexError if it does not fit."""
    parts = tuple(_plain(i) for i in (index if isinstance(index, tuple) else (index,)))
    for part in parts:
        if isinstance(part, slice) and part.step is not None and part.step <= 0:
            raise ValueError("step must be greater than zero: use torch.flip to reverse a dimension")
        if isinstance(part, (float, str)) or (isinstance(part, np.ndarray) and part.dtype.kind not in "iub"):
            raise IndexError(
                "tensors used as indices must be long, int, byte or bool tensors; only integers, slices (`:`), "
                f"ellipsis (`...`), None and such tensors are valid indices (got {type(part).__name__})"
            )
    # A single index array makes the whole a copy.
    return parts, all(_looks(p) for p in parts)


def getitem(x: Tensor, index: Any) -> Tensor:
    """``x[index]`` (torch.Tensor.__getitem__). IndexError if the index does not fit."""
    parts, looks = _normal(x, index)
    try:
        return (o.slice if looks else o.index)(x, index=parts)
    except IndexError as error:
        raise IndexError(f"{error}; the tensor has shape {list(x.shape)}") from None


def setitem(x: Tensor, index: Any, value: Any) -> None:
    """``x[index] = value``: an in-place operation, with its errors (torch.Tensor.__setitem__)."""
    parts, looks = _normal(x, index)
    if looks:
        # A write through a view: `inplace` then rewrites the history of x as that of any base.
        part = getitem(x, parts)
        inplace(part, o.overwrite, part, _fitting(value, part))
    else:
        _alike("index_put", x, value)
        inplace(x, o.index_put, x, value, index=parts, accumulate=False)


def _fitting(value: Any, part: Tensor) -> Any:
    """The value spread over the part, so that it may come from the same memory; itself if it does not fit."""
    if not isinstance(value, Tensor) or value.shape == part.shape or isinstance(value, Batched):
        return value
    # As in PyTorch, leading dimensions of size 1 may be too many.
    extra = value.ndim - part.ndim
    if extra > 0 and set(value.shape[:extra]) == {1}:
        value = o.reshape(value, shape=tuple(value.shape)[extra:])
    try:
        return o.expand(value, shape=tuple(part.shape))
    except RuntimeError:
        return value


def _alike(name: str, x: Tensor, source: Any) -> None:
    """RuntimeError if values to be stored are of another dtype than what they are stored in."""
    if isinstance(source, Tensor) and source.dtype is not x.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype: got {x.dtype} and {source.dtype}")


def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements by their number in the order of memory (torch.take)."""
    return o.index(o.reshape(input, shape=(-1,)), index=(copy_index(index),))


def nonzero(input: Tensor) -> Tensor:
    """The indices of elements that are not zero, a row for each (torch.nonzero)."""
    return Tensor.of(np.argwhere(input.array))


def index_put(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """A copy with values stored, or added, at indices (torch.index_put)."""
    _alike("index_put", input, values)
    parts, _ = _normal(input, tuple(indices))
    return o.index_put(input, values, index=parts, accumulate=accumulate)
