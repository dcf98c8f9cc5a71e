"""Forward mode: what becomes of an operation at a level of tangents (`levels.enter(push_forward)`).

The operation is done once on primals, and the same table of rules that backward uses gives its tangent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from . import levels
from .aliases import Options
from .conform import conform
from .modes import state
from .overlap import repeats
from .primitive import Primitive, record
from .tensor import Tensor


def push_forward(primitive: Primitive, args: tuple[Any, ...], options: Options, level: int) -> Tensor:
    """Carry out a primitive on arguments that carry tangents: the result carries a tangent too.

    The primals may carry tangents of outer levels, and both computations below record or push those in turn.
    """
    # One level down there are no tangents of this level, so this ends, and counts nothing twice.
    primals = tuple(levels.primal(a, level) for a in args)
    result: Tensor = primitive(*primals, **options)
    rule = primitive.rule
    # Inference mode stops dual numbers; a transform was asked for its tangent, and computes it all the same.
    if state.now.inference and not state.now.transforms:
        return result
    # Integers do not move when their arguments do.
    if rule is None or result.array.dtype.kind not in "fc":
        return result
    tangents = [levels.tangent(a, level) if rule.differentiates(i) else None for i, a in enumerate(args)]
    if any(t is not None for t in tangents):
        # The rule gets a twin of the result, since the result itself is about to carry the tangent.
        tangent = rule.jvp(tangents, result.twin(result.edge()), primals, options)
        # Arguments without a tangent may be what gave the result its shape.
        if tangent.array.shape != result.array.shape:
            tangent = o.expand(tangent, shape=result.array.shape)
        levels.attach(result, level, _unshared(conform(tangent, result.form), result, tangents))
    if state.now.grad:
        # Backward inside this level must see the tangents too, so the node keeps the arguments that carry them.
        record(primitive, args, options, result)
    return result


def _unshared(tangent: Any, result: Tensor, given: Sequence[Any]) -> Any:
    """A tangent that shares memory with those of the arguments only if the result does with the arguments.

    Else an in-place change of either would change the other too, or a repeated element could not be written.
    """
    if result.link is None and (
        repeats(tangent.memory) or any(t is not None and np.may_share_memory(tangent.memory, t.memory) for t in given)
    ):
        return o.clone(tangent)
    return tangent
