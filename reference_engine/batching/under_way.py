"""Which batchings are under way: how many examples each has, and what random functions do there."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core import levels


@dataclass(frozen=True)
class Batch:
    """One batching under way: its level, the number of examples, and what random functions do there."""

    level: int
    size: int
    randomness: str

    push: ClassVar[Callable[..., Any]]
    """Carry out a primitive on batches of this level. Provided by the module `lifting`."""


class _UnderWay(threading.local):
    """The batchings of this thread by level, outermost first."""

    def __init__(self) -> None:
        self.by_level: dict[int, Batch] = {}


_under_way = _UnderWay()


@contextlib.contextmanager
def batching(size: int, randomness: str = "error") -> Iterator[Batch]:
    """A block in which there is one more level, of batches of this size."""
    level = levels.enter(lambda *operation: batch.push(*operation))
    batch = _under_way.by_level[level] = Batch(level, size, randomness)
    try:
        yield batch
    finally:
        levels.leave(level)
        del _under_way.by_level[level]


def batch_at(level: int) -> Batch | None:
    """The batching that a level belongs to; None if it belongs to a forward differentiation."""
    return _under_way.by_level.get(level)


def batches() -> list[Batch]:
    """The batchings under way, outermost first."""
    return list(_under_way.by_level.values())
