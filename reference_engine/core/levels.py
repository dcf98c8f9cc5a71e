"""Forward mode: which differentiations are under way, and the tangent that a value carries for each.

A level is opened for the duration of one forward differentiation and gets a number that is never used again. A
tensor maps levels to tangents, and a tangent may itself carry tangents of outer levels. An operation strips the
innermost level first, so a tangent of one differentiation is never taken for that of another (no perturbation
confusion): ``jvp(lambda x: x * jvp(lambda y: x + y)(1))`` counts what it should.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable
from typing import Any

from .tensor import Tensor

_numbers = itertools.count()


class _Open(threading.local):
    """The levels open in this thread, outermost first."""

    def __init__(self) -> None:
        self.levels: list[int] = []


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
    """The innermost open level at which some value carries a tangent."""
    carried = {level for v in values if isinstance(v, Tensor) and v.tangents for level in v.tangents}
    return max(carried.intersection(_open.levels), default=None)


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
