"""Levels: which forward differentiations and batchings are under way, and what a value is at each of them.

A level is opened for the duration of a `dual_level`, forward-mode Jacobian or `vmap`, and gets a number that is
never used again. To a differentiation belongs the *tangent* that a value carries for it: a tensor maps levels to
tangents, and a tangent may itself carry tangents of outer levels. To a `vmap` belongs the *batch* of which a value
is an example (see `batching`), and what is inside may again be a dual or a batch of an outer level.

An operation strips the innermost level first. So a tangent is never taken for that of another differentiation
(no perturbation confusion): d/dx (x d/dy (x + y)) counts what it should. And levels nest in any order, since each finds
in its operands only what is its own and hands the rest down.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from .modes import state
from .tensor import Tensor

Push = Callable[[Any, tuple[Any, ...], dict[str, Any], int], Tensor]
"""Carries out an operation at a level: primitive, arguments, options and level to the result."""

# Never used again: what escaped from a closed level must not be taken for a part of a new level.
_numbers = itertools.count()


def enter(push: Push) -> int:
    """Open a level inside those that are open; `push` carries out operations there."""
    level = next(_numbers)
    state.now.levels[level] = push
    return level


def leave(level: int) -> None:
    """Close a level; tangents that values still carry for it no longer count."""
    del state.now.levels[level]


def depth() -> int:
    """Number of open levels."""
    return len(state.now.levels)


def highest(values: Iterable[Any]) -> int | None:
    """The innermost open level at which some value carries a tangent or is a batch."""
    # Only what is open counts: a value may have escaped from a level and still carry its tangent.
    return max(carried(values).intersection(state.now.levels), default=None)


def carried(values: Iterable[Any]) -> set[int]:
    """All levels at which some value, also within a tuple such as an index, carries a tangent or is a batch."""
    levels: set[int] = set()
    for v in values:
        if isinstance(v, Tensor):
            if v.link is not None:
                v.link.refresh_tangents(v)
            levels.update(v.tangents or ())
            if v.level is not None:
                levels.add(v.level)
        elif type(v) is tuple:
            levels |= carried(v)
    return levels


def batched_at(values: Iterable[Any]) -> set[int]:
    """The levels of all batchings in which some value, also within a tuple, is an example."""
    levels: set[int] = set()
    for v in values:
        if isinstance(v, (Tensor, tuple)):
            levels |= v.batches() if isinstance(v, Tensor) else batched_at(v)
    return levels


def tangent(value: Any, level: int) -> Tensor | None:
    """The tangent that a value carries at a level."""
    if not isinstance(value, Tensor):
        return None
    if value.link is not None:
        value.link.refresh_tangents(value)
    return value.tangents.get(level) if value.tangents else None


def primal(value: Any, level: int) -> Any:
    """The value without its tangent of this level; its history and its outer tangents stay."""
    if tangent(value, level) is None:
        return value
    # Another tensor, since the value keeps its tangent for those who differentiate at this level.
    twin = value.alias(value.edge())
    twin.tangents = {k: t for k, t in value.tangents.items() if k != level}
    return twin


def attach(value: Tensor, level: int, t: Tensor) -> None:
    """Let a value carry a tangent."""
    # A new dictionary, because twins share theirs.
    value.tangents = {**(value.tangents or {}), level: t}
