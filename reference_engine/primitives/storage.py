"""Copies, conversions, and reading and writing parts of tensors: what in-place operations are made of."""

from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import FUNCTION_AND_METHOD, Primitive
from ..core.views import ViewPrimitive, as_strided, region, replace
from .kinds import COUNTED, ORDERED, only

__all__ = [
    "alias", "as_strided", "cast", "chosen_kthvalue", "chosen_max", "chosen_min", "chosen_mode", "chosen_sort",
    "chosen_topk", "clone", "contiguous", "embed", "fill", "gather", "index", "index_put", "masked_fill", "overwrite",
    "place", "region", "replace", "scatter_add", "zero",
]  # fmt: skip


def _copy(x: Array) -> Any:
    return np.array(x)


def _overwrite(x: Array, y: Array) -> Any:
    return np.broadcast_to(_fitting(x, y), x.shape)


def _fitting(x: Array, y: Any) -> Any:
    """The value to store, in the dtype of its destination; RuntimeError for a complex number among real ones."""
    if isinstance(y, complex) and x.dtype.kind not in "bc":
        raise RuntimeError(f"value cannot be converted to type {x.dtype} without overflow: {y} is complex")
    return np.asarray(y).astype(x.dtype)


clone = Primitive("clone", _copy, forms=FUNCTION_AND_METHOD)
contiguous = Primitive("contiguous", np.ascontiguousarray, node="CloneBackward0")
alias = ViewPrimitive("alias", lambda x: x[...])
cast = Primitive("cast", lambda x, dtype: x.astype(dtype), node="ToCopyBackward0")
overwrite = Primitive("overwrite", _overwrite, node="CopyBackwards")
fill = Primitive("fill", _overwrite, forms="inplace")
zero = Primitive("zero", np.zeros_like, forms="inplace")


def _put(x: Array, y: Array, index: Any, accumulate: Any = False) -> Any:
    out = np.array(x)
    if accumulate:
        np.add.at(out, index, y)
    else:
        out[index] = y
    return out


def _place(x: Array, index: Any, shape: Any) -> Any:
    out = np.zeros(shape, x.dtype)
    np.add.at(out, index, x)
    return out


def _embed(x: Array, index: Any, shape: Any) -> Any:
    out = np.zeros(shape, x.dtype)
    out[index] = x
    return out


# `index` copies (arrays as indices); `place` adds values into zeros at an index, and so does `embed` where no
# element is named twice, which is faster.
index = Primitive("index", lambda x, index: np.array(x[index]))
index_put = Primitive("index_put", _put)
place = Primitive("place", _place)
embed = Primitive("embed", _embed)
masked_fill = Primitive("masked_fill", lambda x, y, mask: np.where(mask, _fitting(x, y), x), has_scalar_overload=True)


def _along(x: Array, index: Any, dim: Any) -> Any:
    return x[along(index, dim)]


def along(index: Array, dim: Any) -> Any:
    """The index in all dimensions: the numbers given along `dim`, and the element's position along the others."""
    if not index.ndim:
        return (np.zeros_like(index),) * 0
    grid = list(np.indices(index.shape, sparse=True))
    grid[dim] = index
    return tuple(grid)


def _chosen(x: Array, index: Any, dim: Any, keepdim: Any) -> Any:
    values = _along(x, index, dim)
    return values if keepdim else np.squeeze(values, axis=dim)


def _add_along(x: Array, index: Any, dim: Any, shape: Any) -> Any:
    out = np.zeros(shape, x.dtype)
    np.add.at(out, along(index, dim), x)
    return out


gather = Primitive("gather", _along)
scatter_add = Primitive("scatter_add", _add_along)
chosen_max = Primitive("chosen_max", only(ORDERED, _chosen), node="MaxBackward0")
chosen_min = Primitive("chosen_min", only(ORDERED, _chosen), node="MinBackward0")
chosen_kthvalue = Primitive("chosen_kthvalue", only(COUNTED, _chosen), node="KthvalueBackward0")
chosen_mode = Primitive("chosen_mode", only(ORDERED, _chosen), node="ModeBackward0")
chosen_sort = Primitive("chosen_sort", only(ORDERED, _along), node="SortBackward0")
chosen_topk = Primitive("chosen_topk", only(COUNTED, _along), node="TopkBackward0")
