"""Levels: which forward differentiations and batchings are under way, and what a value is at each of them.

A level is opened for the duration of one `jvp` or one `vmap` and gets a number that is never used again. To a `jvp`
belongs the *tangent* that a value carries for it: a tensor maps levels to tangents, and a tangent may itself carry
tangents of outer levels. To a `vmap` belongs the *batch* that a value stands for (see `batched`), and what is inside
may again be a dual or a batch of an outer level.

An operation strips the innermost level first. So a tangent of one differentiation is never taken for that of another
(no perturbation confusion): ``jvp(lambda x: x * jvp(lambda y: x + y)(1))`` counts what it should. And the transforms
nest in any order, since each finds in its operands only what is its own and hands the rest down.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .batched import Batched
from .tensor import Tensor

_numbers = itertools.count()


class Batch(NamedTuple):
    """One batching under way: its level, the number of examples, and what random functions do there."""

    level: int
    size: int
    randomness: str


class _Open(threading.local):
    """The levels open in this thread, outermost first."""

    def __init__(self) -> None:
        self.levels: list[int] = []
        self.batches: dict[int, Batch] = {}


_open = _Open()


def enter() -> int:
    """Open a level inside those that are open."""
    _open.levels.append(next(_numbers))
    return _open.levels[-1]


def leave(level: int) -> None:
    """Close a level; tangents that values still carry for it no longer count."""
    _open.levels.remove(level)


def depth() -> int:
    """How many levels are open."""
    return len(_open.levels)


def highest(values: Iterable[Any]) -> int | None:
    """The innermost open level at which some value carries a tangent or is a batch."""
    return max(carried(values).intersection(_open.levels), default=None)


def carried(values: Iterable[Any]) -> set[int]:
    """All levels at which some value, also within a tuple such as an index, carries a tangent or is a batch."""
    found: set[int] = set()
    for v in values:
        if isinstance(v, Tensor):
            found.update(v.tangents or ())
            if isinstance(v, Batched):
                found.add(v.level)
        elif type(v) is tuple:
            found |= carried(v)
    return found


@contextlib.contextmanager
def batching(size: int, randomness: str = "error") -> Iterator[Batch]:
    """A block in which there is one more level, of batches of this size."""
    batch = Batch(enter(), size, randomness)
    _open.batches[batch.level] = batch
    try:
        yield batch
    finally:
        leave(batch.level)
        del _open.batches[batch.level]


def batch_at(level: int) -> Batch | None:
    """The batching that a level belongs to; None if it belongs to a forward differentiation."""
    return _open.batches.get(level)


def batches() -> list[Batch]:
    """The batchings under way, outermost first."""
    return list(_open.batches.values())


def tangent(value: Any, level: int) -> Tensor | None:
    """The tangent that a value carries at a level."""
    return value.tangents.get(level) if isinstance(value, Tensor) and value.tangents else None


def primal(value: Any, level: int) -> Any:
    """The value without its tangent of this level; its history and its outer tangents stay."""
    if tangent(value, level) is None:
        return value
    twin = value.alias(value.edge())
    twin.tangents = {k: t for k, t in value.tangents.items() if k != level}
    return twin


def attach(value: Tensor, level: int, t: Tensor) -> None:
    """Let a value carry a tangent."""
    value.tangents = {**(value.tangents or {}), level: t}
