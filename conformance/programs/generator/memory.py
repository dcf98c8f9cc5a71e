"""Views and in-place writes."""

from __future__ import annotations

from conformance.programs.forms.memory import IN_PLACE_BINARY, IN_PLACE_SCANS, IN_PLACE_UNARY
from conformance.programs.generator.draws import Weighted
from conformance.programs.generator.operations import some_axis
from conformance.programs.generator.scope import KnownValue, Scope, Unfit
from conformance.protocol.types import Shape

# Most weight is on binary writes, whose other operand may be the target or a view of it.
WRITES = Weighted({"unary": 30, "scan": 10, "item": 12, "zero": 4, "shift": 4, "copy": 8, "binary": 36})


def view(scope: Scope) -> int:
    """A view, or a copy that can be written."""
    x = scope.some(lambda known: known.shape and not known.leaf)
    shape, kind = scope.known(x).shape, scope.draws.below(7)
    if kind == 0 and len(shape) > 1:
        return scope.add("view.transpose", (x,), 0, 1)
    if kind == 1:
        axis = some_axis(scope, shape)
        return scope.add("view.select", (x,), axis, scope.draws.below(shape[axis]))
    if kind == 2:
        axis = some_axis(scope, shape)
        return scope.add("view.narrow", (x,), axis, scope.draws.below(shape[axis]), 1)
    if kind == 3:
        return scope.add("view.unsqueeze", (x,), 0)
    if kind == 4:
        return scope.add("view.expand", (x,), (2, *shape))
    if kind == 5 and len(shape) == 2:
        return scope.add("view.diagonal", (x,))
    # Also where the view that was chosen does not fit: a copy can be written, as inputs cannot.
    return scope.add("clone", (x,))


def _writable(scope: Scope, known: KnownValue) -> bool:
    """Whether a value can be written: by this body, not a leaf, and seldom what an operation may have saved."""
    # A body writes into its own values only: under vmap, a write into a captured value is an error.
    ours = known.memory >= scope.start and not known.leaf and not known.spread
    return ours and (not is_saved(scope, known) or scope.draws.happens(0.1))


def is_saved(scope: Scope, known: KnownValue) -> bool:
    """Whether an operation may have saved a value in that memory."""
    return any(value is not None and value.saved and value.memory == known.memory for value in scope.values)


def target(scope: Scope) -> int:
    """Choose a value that can be written, or add a copy of any value."""
    x = scope.choose(lambda known: _writable(scope, known))
    if x is not None:
        return x
    return scope.add("clone", (scope.some(),))


def write(scope: Scope) -> int:
    """An in-place operation; its other operand is sometimes the array that is written, or a view of it."""
    x = target(scope)
    known, kind = scope.known(x), scope.draws.weighted(WRITES)
    if kind == "unary":
        return scope.add(f"write.{scope.draws.one_of(IN_PLACE_UNARY)}", (x,))
    if kind == "zero":
        return scope.add("zero_", (x,))
    if kind == "shift":
        # A constant is added: recorded or not, no derivative changes.
        return scope.add("shift_unrecorded", (x,), 0.5)
    if kind in ("scan", "item") and not known.shape:
        raise Unfit
    if kind == "scan":
        name = scope.draws.one_of(IN_PLACE_SCANS)
        return scope.add(f"write.{name}", (x,), some_axis(scope, known.shape))
    if kind == "item":
        y = _operand(scope, known, known.shape[1:])
        index = scope.draws.below(known.shape[0])
        if y is None:
            raise Unfit
        return scope.add("set_item_", (x, y), index)
    return _written_with(scope, x, kind)


def _written_with(scope: Scope, x: int, kind: str) -> int:
    """An in-place operation with another operand."""
    known = scope.known(x)
    # The target as its own operand: the value is overwritten before or after it is read.
    y = x if scope.draws.happens(0.2) else _operand(scope, known, known.shape)
    if y is None:
        raise Unfit
    if kind == "copy":
        return scope.add("copy_", (x, y))
    return scope.add(f"write.{scope.draws.one_of(IN_PLACE_BINARY)}", (x, y))


def _operand(scope: Scope, known: KnownValue, shape: Shape) -> int | None:
    """Choose a value that can be written into that shape; within vmap, only where the array is mapped, too."""
    return scope.choose(
        lambda y: len(y.shape) <= len(shape) and _broadcasts(y.shape, shape) and y.depends <= known.depends
    )


def _broadcasts(shape: Shape, to: Shape) -> bool:
    return all(a in (1, b) for a, b in zip(reversed(shape), reversed(to), strict=False))
