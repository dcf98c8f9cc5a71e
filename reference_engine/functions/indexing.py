"""``x[index]`` and ``x[index] = value``.

Integers, slices, None and ``...`` look at part of the memory (a view); tensors, arrays and lists of indices copy.
Assignment writes into the view, or in place at the indices, and is recorded as such (torch.Tensor, indexing).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from ..core.inplace import inplace
from ..core.tensor import Tensor
from .calling import one_dim, overridable

__all__ = [
    "gather", "index_add", "index_put", "index_select",
]  # fmt: skip


def _plain(index: Any) -> Any:
    """An index without Tensors; index arrays are copied, so that changing them later has no effect on backward."""
    if isinstance(index, Tensor):
        return index.array.item() if _is_integer_scalar(index) else index.array.copy()
    if isinstance(index, slice):
        return slice(*(s.array.item() if isinstance(s, Tensor) else s for s in (index.start, index.stop, index.step)))
    if isinstance(index, (list, range)):
        return np.asarray(
            [i.array if isinstance(i, Tensor) else i for i in index], dtype=None if len(index) else np.int64
        )
    return index


def _is_integer_scalar(index: Tensor) -> bool:
    return not index.array.ndim and index.array.dtype.kind in "iu"


def _looks(part: Any) -> bool:
    """Whether one part of an index makes a view rather than a copy."""
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
    return parts, all(_looks(p) for p in parts)


def getitem(x: Tensor, index: Any) -> Tensor:
    """``x[index]`` (torch.Tensor.__getitem__). IndexError if the index does not fit."""
    parts, looks = _normal(x, index)
    try:
        if not looks:
            return o.index(x, index=parts)
        has_integer = any(isinstance(p, (int, np.integer)) for p in parts)
        return (o.select if has_integer else o.slice)(x, index=parts)
    except IndexError as error:
        raise IndexError(f"{error}; the tensor has shape {list(x.shape)}") from None


def setitem(x: Tensor, index: Any, value: Any) -> None:
    """``x[index] = value``: an in-place operation, refused as others are (torch.Tensor.__setitem__)."""
    parts, looks = _normal(x, index)
    if looks:
        part = getitem(x, parts)
        inplace(part, o.overwrite, part, _fitting(value, part))
    else:
        inplace(x, o.index_put, x, _fitting(value, None), index=parts, accumulate=False)


def _fitting(value: Any, part: Tensor | None) -> Any:
    """The value to be stored, without surplus leading dimensions of size one."""
    if isinstance(value, np.ndarray):
        value = Tensor.of(value)
    if isinstance(value, Tensor) and part is not None and value.ndim > part.ndim:
        extra = value.ndim - part.ndim
        if set(value.shape[:extra]) == {1}:
            return o.reshape(value, shape=tuple(value.shape)[extra:])
    return value


@overridable
def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The elements that an integer tensor names along a dimension (torch.gather)."""
    dim = one_dim(input.ndim, dim)
    wanted = tuple(slice(0, n) for n in index.shape)
    fits = tuple(slice(None) if i == dim else w for i, w in enumerate(wanted))
    return o.gather(o.slice(input, index=fits), index=index.array.copy(), dim=dim)


@overridable
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices at the given indices along a dimension (torch.index_select)."""
    return o.index(input, index=(slice(None),) * one_dim(input.ndim, dim) + (index.array.copy(),))


@overridable
def index_put(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """A copy with values stored, or added, at indices (torch.index_put)."""
    parts, _ = _normal(input, tuple(indices))
    return o.index_put(input, values, index=parts, accumulate=accumulate)


@overridable
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy with slices of `source` added at indices along a dimension (torch.index_add)."""
    parts = (slice(None),) * one_dim(input.ndim, dim) + (index.array.copy(),)
    return o.index_put(input, source * alpha, index=parts, accumulate=True)
