"""What happens when a primitive meets tensors: evaluate, write down, wrap.

`interpret` is the whole of forward execution. In order: operands are given a common type, NumPy computes, and if
recording is on and some operand requires grad, `nodes.note` puts the operation on the tape. An operand that carries
a tangent (forward mode) takes another way: the operation is done once on primals, and the same table says what
its tangent is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from . import dtypes, levels
from .modes import state
from .nodes import note
from .overlap import repeats
from .primitive import Primitive
from .tape import Form, conform
from .tensor import Tensor
from .views import relate


def lower(primitive: Primitive, args: Sequence[Any]) -> list[Any]:
    """The arrays and numbers that NumPy is to compute with, in the type that PyTorch would choose."""
    values = [a.array if isinstance(a, Tensor) else a for a in args]
    if not (primitive.joins or primitive.floats):
        return values
    # The common case, in which nothing needs to be promoted: floating arrays of one type, and Python numbers.
    dtype = values[0].dtype if type(values[0]) is np.ndarray else None
    if dtype is None or dtype.kind != "f":
        return _promoted(primitive, values)
    for value in values:
        if value.dtype is not dtype if type(value) is np.ndarray else type(value) not in (float, int):
            return _promoted(primitive, values)
    return values


def _promoted(primitive: Primitive, values: list[Any]) -> list[Any]:
    """All operands in the type that they have in common; integers made floating if the primitive needs that."""
    # NumPy's scalars would count as arrays; they are numbers, which must not raise a tensor's type.
    values = [v.item() if isinstance(v, np.generic) else v for v in values]
    # A condition (as in `where`) takes no part in the promotion of the operands that it chooses from.
    fixed = 1 if primitive.letters.startswith("c") else 0
    target = dtypes.result_type(values[fixed:])
    if primitive.floats and not target.differentiable:
        target = dtypes.get_default_dtype()
    return values[:fixed] + [np.asarray(v).astype(target.numpy, copy=False) for v in values[fixed:]]


def interpret(primitive: Primitive, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Carry out a primitive on arguments of which at least one is a Tensor."""
    now = state.now
    if now.levels:
        level = levels.highest((*args, *options.values()))
        if level is not None:
            push = levels.push_at(level)
            return push_forward(primitive, args, options, level) if push is None else push(primitive, args, options)
    try:
        result = Tensor.of(now.quietly(primitive.evaluate, *lower(primitive, args), **options))
    except ValueError as error:
        # The ValueError is left out: it speaks of NumPy's functions, which the program did not call.
        raise RuntimeError(_misfit(primitive, args, error)) from None
    # Marked, so that it is refused later where a derivative would need its version.
    if now.inference:
        result.inference = True
    if now.grad:
        note(primitive, args, options, result)
    if primitive.view:
        relate(result, args)
    return result


def _misfit(primitive: Primitive, args: Sequence[Any], error: ValueError) -> str:
    """What to say about operands that NumPy refused; shapes that do not broadcast are the usual reason."""
    shapes = [a.array.shape for a in args if isinstance(a, Tensor)]
    if "broadcast" in str(error) and len(shapes) > 1:
        a, b = shapes[:2]
        for back in range(1, min(len(a), len(b)) + 1):
            if a[-back] != b[-back] and 1 not in (a[-back], b[-back]):
                return (
                    f"The size of tensor a ({a[-back]}) must match the size of tensor b ({b[-back]}) at non-singleton "
                    f"dimension {max(len(a), len(b)) - back}: {primitive.name} got shapes {list(a)} and {list(b)}"
                )
    return f"{primitive.name}: {error} (shapes {[list(s) for s in shapes]})"


def push_forward(primitive: Primitive, args: tuple[Any, ...], options: dict[str, Any], level: int) -> Any:
    """Carry out a primitive on arguments that carry tangents: the result carries its own.

    The primals may carry tangents of outer levels, and both computations below record or push those in turn.
    """
    # One level down there are no tangents of this level, so this ends, and counts nothing twice.
    primals = tuple(levels.primal(a, level) for a in args)
    result = primitive(*primals, **options)
    rule = primitive.rule
    if primitive.view:
        relate(result, args)
    # Inference mode stops dual numbers; a transform was asked for its tangent, and computes it all the same.
    if state.now.inference and not state.now.transforms:
        return result
    # Integers do not move when their arguments do.
    if rule is None or result.array.dtype.kind not in "fc":
        return result
    tangents = [levels.tangent(a, level) if rule.differentiates(i) else None for i, a in enumerate(args)]
    if any(t is not None for t in tangents):
        # The rule gets a twin of the result, since the result itself is about to carry the tangent.
        tangent = rule.jvp(primitive, tangents, result.twin(result.edge()), primals, options)
        # Arguments without a tangent may be what gave the result its shape.
        if tangent.array.shape != result.array.shape:
            tangent = o.expand(tangent, shape=result.array.shape)
        tangent = conform(tangent, Form(result.array.shape, result.array.dtype))
        levels.attach(result, level, _of_its_own(tangent, result, tangents))
    if state.now.grad:
        # Backward inside this level must see the tangents too, so the node keeps the arguments that carry them.
        note(primitive, args, options, result)
    return result


def _of_its_own(tangent: Any, result: Tensor, given: Sequence[Any]) -> Any:
    """A tangent that shares memory with those of the arguments only if the result does with the arguments.

    Else a change in place of the one would change the other too, or a repeated element could not be written.
    """
    if result.link is None and (
        repeats(tangent.memory) or any(t is not None and np.may_share_memory(tangent.memory, t.memory) for t in given)
    ):
        return o.clone(tangent)
    return tangent


Primitive.interpret = interpret  # type: ignore[assignment]
