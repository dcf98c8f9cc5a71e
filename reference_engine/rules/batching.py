"""How primitives are batched that are not simply lifted by one dimension, as their family says (`batching.lifting`).

An entry computes what is inside the result's batch, from the batch (level and size), arguments and options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.batched import Batch
from ..batching.lifting import aligned, bare, lifted, looped, moved_index, opened, promoted, unbatched, up
from ..core.aliases import Options
from ..core.primitive import Primitive


def matrix(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """Products of matrices are products of batches of them."""
    x, y = (opened(a, batch)[0] for a in args)
    return o.bmm(x, y)


def matrix_vector(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """A vector is a matrix of one column."""
    x, y = (opened(a, batch)[0] for a in args)
    return o.squeeze(o.bmm(x, o.unsqueeze(y, dim=-1)), dim=(-1,))


def inner(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """The sum of the products of corresponding elements."""
    x, y = (opened(a, batch)[0] for a in args)
    return o.sum(x * y, dim=-1, keepdim=False)


def solution(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """A vector is solved for as a matrix of one column: NumPy would take a batch of vectors for a matrix."""
    x, y = args
    if len(y.shape) != 1:
        return lifted(primitive, batch, args, options)
    column = o.unsqueeze(opened(y, batch)[0], dim=-1)
    return o.squeeze(o.solve(opened(x, batch)[0], column), dim=(-1,))


def greatest(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """Of everything in an example, ties sharing the gradient as they do without a batch."""
    along = {o.max_all: o.amax, o.min_all: o.amin}[primitive]
    return lifted(along, batch, args, {"dim": None, "keepdim": False})


def transposed(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """Only matrices change; the batch stays in front."""
    x = opened(args[0], batch)[0]
    return o.transpose(x, dim0=-2, dim1=-1) if len(args[0].shape) == 2 else o.alias(x)


def permuted(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """The batch stays in front."""
    return o.permute(opened(args[0], batch)[0], dims=(0, *up(options["dims"])))


def expanded(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """New dimensions come behind the batch."""
    shape = tuple(options["shape"])
    return o.expand(aligned(args[0], len(shape), batch), shape=(batch.size, *shape))


def unsqueezed(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """A tensor without dimensions gets one behind the batch."""
    return o.unsqueeze(opened(args[0], batch)[0], dim=up(options["dim"]))


def joined(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """What is the same for all examples is repeated for each."""
    parts = [unbatched(a, batch) for a in promoted(primitive, args, batch)]
    return primitive(*parts, dim=up(options["dim"]))


def overwritten(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """What is written to must be there for every example."""
    x, y = args
    return primitive(unbatched(x, batch), aligned(y, len(x.shape), batch))


def stored(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """The same, for values stored at an index: they broadcast to what the index names."""
    x, y = args
    index = moved_index(options["index"], batch, len(x.shape))
    if index is None:
        return looped(primitive, batch, args, options)
    named = np.broadcast_to(0, x.shape)[options["index"]].ndim
    return primitive(unbatched(x, batch), aligned(y, named, batch), **{**options, "index": index})


def indexed(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """Rows of one table, which all examples share, named by an array of indices for each example."""
    table, index = args[0], options["index"]
    rows, differ = opened(index[0], batch)
    if opened(table, batch)[1] or len(index) != 1 or not differ or index[0].array.dtype.kind == "b":
        return lifted(primitive, batch, args, options)
    return o.index(table, index=(bare(rows),))


# Without a derivative, or with both modes written out, and lifted all the same.
_LIFTED = [
    o.eq, o.ne, o.lt, o.le, o.gt, o.ge, o.isnan, o.signbit, o.logical_and, o.logical_or, o.argmax, o.abs, o.angle,
    o.softmax, o.log_softmax, o.cumprod, o.inverse, o.det, o.cofactors, o.slogdet_sign, o.slogdet_log, o.qr_q, o.svd_s,
    o.svd_u, o.svd_v, o.eigh_values, o.eigh_vectors, o.eig_values, o.eig_vectors,
]  # fmt: skip

BATCHED: dict[Primitive, Callable[..., Any]] = {
    **dict.fromkeys(_LIFTED, lifted),
    **dict.fromkeys([o.region, o.replace], looped),
    o.mm: matrix, o.mv: matrix_vector, o.dot: inner, o.solve: solution, o.max_all: greatest, o.min_all: greatest,
    o.t: transposed, o.permute: permuted, o.expand: expanded, o.unsqueeze: unsqueezed, o.cat: joined, o.stack: joined,
    o.overwrite: overwritten, o.fill: overwritten, o.index_put: stored, o.index: indexed,
}  # fmt: skip
