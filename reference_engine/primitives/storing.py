"""Copies, conversions, and reading and writing parts of tensors: what in-place operations are made of."""

import numpy as np

from ..core.primitive import Primitive


def _copy(x):  # type: ignore[no-untyped-def]
    return np.array(x)


def _overwrite(x, y):  # type: ignore[no-untyped-def]
    return np.broadcast_to(np.asarray(y).astype(x.dtype), x.shape)


clone = Primitive("clone", _copy)
alias = Primitive("alias", lambda x: x[...], view=True)
cast = Primitive("cast", lambda x, dtype: x.astype(dtype), node="ToCopyBackward0")
overwrite = Primitive("overwrite", _overwrite, node="CopyBackwards")
fill = Primitive("fill", _overwrite)
zero = Primitive("zero", np.zeros_like)


def _put(x, y, index, accumulate=False):  # type: ignore[no-untyped-def]
    out = np.array(x)
    if accumulate:
        np.add.at(out, index, y)
    else:
        out[index] = y
    return out


def _place(x, index, shape):  # type: ignore[no-untyped-def]
    out = np.zeros(shape, x.dtype)
    np.add.at(out, index, x)
    return out


def _embed(x, index, shape):  # type: ignore[no-untyped-def]
    out = np.zeros(shape, x.dtype)
    out[index] = x
    return out


# `index` copies (arrays as indices); `place` adds values into zeros at an index, and so does `embed` where no
# element is named twice, which is faster.
index = Primitive("index", lambda x, index: np.array(x[index]))
index_put = Primitive("index_put", _put)
place = Primitive("place", _place)
embed = Primitive("embed", _embed)
masked_fill = Primitive("masked_fill", lambda x, y, mask: np.where(mask, np.asarray(y).astype(x.dtype), x))


def _along(x, index, dim):  # type: ignore[no-untyped-def]
    return np.take_along_axis(x, index, axis=dim)


def _add_along(x, index, dim, shape):  # type: ignore[no-untyped-def]
    out = np.zeros(shape, x.dtype)
    grid = list(np.indices(index.shape, sparse=True))
    grid[dim] = index
    np.add.at(out, tuple(grid), x)
    return out


gather = Primitive("gather", _along)
scatter_add = Primitive("scatter_add", _add_along)
chosen_max = Primitive("chosen_max", _along, node="MaxBackward0")
chosen_min = Primitive("chosen_min", _along, node="MinBackward0")
chosen_sort = Primitive("chosen_sort", _along, node="SortBackward0")


def _region(x, region):  # type: ignore[no-untyped-def]
    return region.look(region.spread(x)).copy()


def _replace(x, y, region):  # type: ignore[no-untyped-def]
    memory = region.spread(x)
    region.look(memory)[...] = y
    return np.array(memory)


# How the base of a view sees a write through the view (see `core.views`).
region = Primitive("region", _region, node="AsStridedBackward0")
replace = Primitive("replace", _replace, node="CopySlices")
