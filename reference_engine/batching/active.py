"""The active batchings: the number of examples of each, and the behaviour of random functions there."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from ..core import levels
from ..core.aliases import Options
from ..core.primitive import Primitive
from ..core.tensor import Tensor
from .batched import Batch as Batch
from .execution import push_batch


class _Active(threading.local):
    """The batchings of this thread by level, outermost first."""

    def __init__(self) -> None:
        self.by_level: dict[int, Batch] = {}


_active = _Active()


def _push(primitive: Primitive, args: tuple[Any, ...], options: Options, level: int) -> Tensor:
    """Carry out an operation at a level of batches."""
    result: Tensor = push_batch(_active.by_level[level], primitive, args, options)
    return result


@contextlib.contextmanager
def batching(size: int, randomness: str = "error") -> Iterator[Batch]:
    """A block within a further level, of batches of this size."""
    level = levels.enter(_push)
    batch = _active.by_level[level] = Batch(level, size, randomness)
    try:
        yield batch
    finally:
        # The level first: from here on, tensors that escaped with it no longer count as batches.
        levels.leave(level)
        del _active.by_level[level]


def batch_at(level: int) -> Batch | None:
    """The batching that a level belongs to; None if it belongs to a forward differentiation."""
    return _active.by_level.get(level)


def batches() -> list[Batch]:
    """The active batchings, outermost first."""
    return list(_active.by_level.values())
