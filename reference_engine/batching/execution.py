"""Batching: what becomes of a primitive whose arguments are batches.

The batch is in front, as dimension 0 of what a `Batched` holds. So doing an operation for every example at once
is, for nearly all primitives, doing the same operation with everything *moved over by a dimension*: `lifted`. The name
of an option determines what it counts: dimensions move up by 1, a shape gets the batch in front, an index gets a
full slice. Operands of fewer dimensions are given more, behind the batch, so that broadcasting pairs up what it did.

That is how the families of the rule tables imply batching. A primitive that makes views, or whose operands need
more, has an entry in `rules.batching`; any other is *looped*: done once for each example, and the results stacked, as
it also is where an index differs from example to example: slow, but never wrong. All of this is
written in primitives again, so batches of batches, tangents of batches and histories of batches need nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import dtypes, levels
from ..core.aliases import Options
from ..core.modes import state
from ..core.primitive import Primitive, record
from ..core.tensor import Tensor
from .batched import Batch, Batched

# Options that mean the same for any number of dimensions. An option that is in no table makes the operation
# looped: slow, but never wrong.
_UNMOVED = {
    "accumulate", "beta", "correction", "decimals", "diagonal", "dtype", "full_matrices", "keepdim", "max", "min",
    "mode", "nan", "neginf", "offset", "p", "posinf", "share", "shifts", "threshold", "weight",
}  # fmt: skip


def push_batch(batch: Batch, primitive: Primitive, args: Sequence[Any], options: Options) -> Any:
    """Carry out a primitive on batches: once, on all examples, and the result is a batch again."""
    rule = primitive.batch or (lifted if getattr(primitive.rule, "batches", False) else looped)
    result = Batched.wrap(rule(primitive, batch, args, options), batch.level)
    if state.now.grad:
        # The history of an example, for derivatives taken inside the function; that of the batch is recorded already.
        record(primitive, args, options, result)
    return result


def lifted(primitive: Primitive, batch: Batch, args: Sequence[Any], options: Options) -> Tensor:
    """The same operation, a dimension up."""
    arrays = [v for v in (*args, *options.values()) if hasattr(v, "shape")]
    rank = max([len(v.shape) for v in arrays], default=0)
    # A reduction over everything would reduce over the batch too.
    if "dim" in options and "index" not in options and (options["dim"] is None or not rank):
        return _flattened(primitive, batch, args, options)
    moved = _moved(options, batch, rank)
    if moved is None or levels.highest(tuple(options.values())) == batch.level:
        return looped(primitive, batch, args, options)
    result: Tensor = primitive(*[aligned(a, rank, batch) for a in promoted(primitive, args, batch)], **moved)
    return result


def looped(primitive: Primitive, batch: Batch, args: Sequence[Any], options: Options) -> Tensor:
    """The operation done for each example, and the results stacked."""
    # The shape of a result comes from an example, and there is none.
    if not batch.size:
        raise RuntimeError(f"vmap: {primitive.name} has no batching rule, and a loop over no examples has no shape")
    rows = []
    for i in range(batch.size):
        row = {name: bare(example(value, i, batch)) for name, value in options.items()}
        rows.append(primitive(*[example(a, i, batch) for a in args], **row))
    result: Tensor = o.stack(*rows, dim=0)
    return result


def example(value: Any, i: int, batch: Batch) -> Any:
    """The i-th of a batch; any other value itself."""
    if type(value) is tuple:
        return tuple(example(v, i, batch) for v in value)
    inside, is_batch = opened(value, batch)
    return o.slice(inside, index=(i,)) if is_batch else value


def opened(value: Any, batch: Batch) -> tuple[Any, bool]:
    """The tensor inside a batch of this level, and True; any other value as it is, and False."""
    if isinstance(value, Batched) and value.level == batch.level:
        return value.value, True
    return value, False


def unbatched(value: Any, batch: Batch) -> Tensor:
    """The tensor inside a batch; any other value repeated for every example."""
    inside, is_batch = opened(value, batch)
    if is_batch:
        return inside  # type: ignore[no-any-return]
    inside = inside if isinstance(inside, Tensor) else Tensor.of(np.asarray(inside))
    return o.expand(inside, shape=(batch.size, *inside.array.shape))  # type: ignore[no-any-return]


def aligned(value: Any, rank: int, batch: Batch) -> Any:
    """The tensor inside a batch, with dimensions of size 1 in front of each example up to a number of dimensions."""
    inside, is_batch = opened(value, batch)
    if not is_batch or value.array.ndim >= rank:
        return inside
    shape = value.array.shape
    # Broadcasting counts from the end, so new dimensions go between the batch and the example.
    return o.reshape(inside, shape=(batch.size, *(1,) * (rank - len(shape)), *shape))


def promoted(primitive: Primitive, args: Sequence[Any], batch: Batch) -> list[Any]:
    """Operands in the type that they have in common as examples: a batch of numbers must not outrank a vector."""
    fixed = 1 if primitive.letters.startswith("c") else 0
    operands = [a.array if isinstance(a, Tensor) else a for a in args[fixed:]]
    dtyped = {v.dtype for v in operands if hasattr(v, "dtype")}
    if not primitive.joins or len(dtyped) < 2:
        return list(args)
    # Computed from examples: a batch of scalars has a dimension, and would count as a tensor with dimensions.
    target = dtypes.result_type(operands).numpy
    return [
        o.cast(a, dtype=target) if i >= fixed and isinstance(a, Tensor) and a.array.dtype != target else a
        for i, a in enumerate(args)
    ]


def bare(value: Any) -> Any:
    """An option as primitives take it: indices are arrays, unless they are batches."""
    if type(value) is tuple:
        return tuple(bare(v) for v in value)
    return value.array if isinstance(value, Tensor) and not isinstance(value, Batched) else value


def _flattened(primitive: Primitive, batch: Batch, args: Sequence[Any], options: Options) -> Tensor:
    """A reduction of the whole of each example: flatten it, and reduce along its only dimension."""
    flat = o.reshape(opened(args[0], batch)[0], shape=(batch.size, args[0].array.size))
    result = primitive(flat, **{**options, "dim": 1})
    ones = (1,) * args[0].array.ndim if options.get("keepdim") else ()
    return o.reshape(result, shape=(batch.size, *ones))  # type: ignore[no-any-return]


# --- moving options over by a dimension --------------------------------------------------------------


def _moved(options: Options, batch: Batch, rank: int) -> Options | None:
    """All options a dimension up; None if an option has no such form."""
    moved = {}
    for name, value in options.items():
        if name not in _MOVES and name not in _UNMOVED:
            return None
        moved[name] = _MOVES[name](value, batch, rank) if name in _MOVES else value
        if moved[name] is None and value is not None:
            return None
    return moved


def up(dim: Any) -> Any:
    """A dimension, or several, plus 1. Negative dimensions count from the end, where nothing changes."""
    if isinstance(dim, (tuple, list)):
        return tuple(up(d) for d in dim)
    return dim + 1 if dim >= 0 else dim


def moved_index(index: Any, batch: Batch, rank: int) -> Any:
    """An index with all of the batch in front; None if the batch would not stay there."""
    if not isinstance(index, tuple):
        return None
    # A mask would give each example a result of another size.
    _check_no_masks(index)
    arrays = [part for part in index if hasattr(part, "shape")]
    # Where anything is beside several index arrays, NumPy may put the dimensions of the arrays first.
    scattered = len(arrays) > 1 and len(arrays) < len(index)
    numbered = arrays and any(isinstance(part, int) for part in index)
    return None if scattered or numbered else (slice(None), *index)


def _check_no_masks(index: tuple[Any, ...]) -> None:
    if any(isinstance(part, Batched) and part.array.dtype.kind == "b" for part in index):
        raise RuntimeError(
            "vmap: We do not support batching operators that can support dynamic shape, and indexing with a boolean "
            "mask chooses a different number of elements for each example: use torch.where or masked_fill instead"
        )


_MOVES: dict[str, Callable[[Any, Batch, int], Any]] = {
    "dim": lambda dim, batch, rank: up(dim),
    "dims": lambda dims, batch, rank: up(dims),
    "dim0": lambda dim, batch, rank: up(dim),
    "dim1": lambda dim, batch, rank: up(dim),
    "dim2": lambda dim, batch, rank: up(dim),
    "shape": lambda shape, batch, rank: (batch.size, *shape),
    "index": moved_index,
}
