"""Batching rules of primitives that are not simply lifted by a dimension (see `batching.execution`).

An entry computes what is inside the result's batch, from the batch (level and size), arguments and options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import primitives as o
from ..batching.batched import Batch
from ..batching.execution import aligned, lifted, looped, opened, promoted, unbatched, up
from ..core.aliases import Options
from ..core.primitive import Primitive
from ..core.regions import Steps


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
    """A tensor without dimensions gets a dimension behind the batch."""
    return o.unsqueeze(opened(args[0], batch)[0], dim=up(options["dim"]))


def joined(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """Join batches; what is the same for all examples is repeated for each."""
    parts = [unbatched(a, batch) for a in promoted(primitive, args, batch)]
    return primitive(*parts, dim=up(options["dim"]))


def strided(primitive: Primitive, batch: Batch, args: Any, options: Options) -> Any:
    """The batch is a further step; examples with another memory layout than before are viewed separately."""
    inside, steps = unbatched(args[0], batch), options["steps"]
    each, *strides = inside.array.strides
    if tuple(strides) != tuple(steps.source_strides):
        return looped(primitive, batch, args, options)
    further = (each // inside.array.itemsize, *steps.steps)
    return o.as_strided(inside, steps=Steps.of(inside.array, (batch.size, *steps.shape), further, steps.start))


# Without a derivative, or with both modes written out, and lifted all the same.
_LIFTED = [
    o.eq, o.ne, o.lt, o.le, o.gt, o.ge, o.isnan, o.signbit, o.logical_and, o.logical_or, o.argmax, o.abs, o.angle,
    o.softmax, o.log_softmax, o.cumprod, o.inverse, o.det, o.cofactors, o.slogdet_sign, o.slogdet_log, o.qr_q, o.svd_s,
    o.svd_u, o.svd_v, o.eigh_values, o.eigh_vectors, o.eig_values, o.eig_vectors,
]  # fmt: skip

_LOOPED = [
    o.region, o.replace, o.max_all, o.min_all, o.mm, o.mv, o.dot, o.solve, o.overwrite, o.fill, o.index_put,
]  # fmt: skip

BATCHED: dict[Primitive, Callable[..., Any]] = {
    **dict.fromkeys(_LIFTED, lifted),
    **dict.fromkeys(_LOOPED, looped),
    o.t: transposed, o.permute: permuted, o.expand: expanded, o.unsqueeze: unsqueezed, o.cat: joined, o.stack: joined,
    o.as_strided: strided,
}  # fmt: skip
