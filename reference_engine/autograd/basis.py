"""The basis over which whole Jacobians are mapped, and how the rows that come back are put into shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor


def basis(xs: Sequence[Tensor]) -> list[Tensor]:
    """For each tensor its part of every unit, along dimension 0: of all elements together, one is one at a time."""
    total, start, parts = sum(x.array.size for x in xs), 0, []
    for x in xs:
        units = np.eye(total, x.array.size, -start, dtype=x.array.dtype)
        parts.append(Tensor.of(units.reshape(total, *x.array.shape)))
        start += x.array.size
    return parts


def parts_of(rows: Tensor, xs: Sequence[Tensor]) -> list[Tensor]:
    """The rows that belong to each of the tensors that a basis was made of."""
    start, parts = 0, []
    for x in xs:
        parts.append(o.slice(rows, index=(slice(start, start + x.array.size),)))
        start += x.array.size
    return parts


def rows_of(rows: Tensor, outs: Sequence[Tensor]) -> list[Tensor]:
    """Rows mapped over a basis of outputs, as one block of shape output + input for each output."""
    inner = rows.array.shape[1:]
    pairs = zip(outs, parts_of(rows, outs), strict=True)
    return [o.reshape(part, shape=(*out.array.shape, *inner)) for out, part in pairs]


def columns_of(columns: Tensor, xs: Sequence[Tensor]) -> list[Tensor]:
    """Columns mapped over a basis of inputs, as one block of shape output + input for each input."""
    ndim = columns.array.ndim
    blocks = []
    for x, part in zip(xs, parts_of(columns, xs), strict=True):
        moved = o.permute(part, dims=(*range(1, ndim), 0))
        blocks.append(o.reshape(moved, shape=(*moved.array.shape[:-1], *x.array.shape)))
    return blocks
