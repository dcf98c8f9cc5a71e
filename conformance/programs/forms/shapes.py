"""Shapes of results, from shapes of arguments. Each function raises Misfit where they do not fit."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from conformance.programs.forms.form import Misfit
from conformance.protocol.types import Shape

# Of the shapes of the values, and options.
Rule = Callable[..., Shape]


def first(shapes: list[Shape], *options: Any) -> Shape:
    """That of the first value."""
    return shapes[0]


def scalar(shapes: list[Shape], *options: Any) -> Shape:
    """That of a number."""
    return ()


def broadcast(shapes: list[Shape], *options: Any) -> Shape:
    """That of all values, broadcast against each other."""
    result: list[int] = []
    # From the last axis: the axes that a shorter shape lacks are its first.
    for at in range(1, max(map(len, shapes)) + 1):
        sizes = {shape[-at] for shape in shapes if len(shape) >= at} - {1}
        if len(sizes) > 1:
            raise Misfit(f"the shapes {shapes} cannot be broadcast")
        result.append(sizes.pop() if sizes else 1)
    return tuple(reversed(result))


def written(shapes: list[Shape], *options: Any) -> Shape:
    """That of the first value, to which the others can be broadcast."""
    if broadcast(shapes) != shapes[0]:
        raise Misfit(f"{shapes[1:]} cannot be written into {shapes[0]}")
    return shapes[0]


def _axis(shape: Shape, axis: Any) -> int:
    if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        raise Misfit(f"the shape {shape} has no axis {axis}")
    return axis % len(shape)


def along(shapes: list[Shape], axis: Any, *options: Any) -> Shape:
    """That of the first value, which has the axis."""
    _axis(shapes[0], axis)
    return shapes[0]


def reduced(shapes: list[Shape], axis: Any, *options: Any) -> Shape:
    """That of the first value without an axis; None: without any."""
    if axis is None:
        return ()
    at = _axis(shapes[0], axis)
    return shapes[0][:at] + shapes[0][at + 1 :]


def swapped(shapes: list[Shape], axis: Any, other: Any) -> Shape:
    """That of the first value with two axes exchanged."""
    sizes = list(shapes[0])
    first, second = _axis(shapes[0], axis), _axis(shapes[0], other)
    sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def reshaped(shapes: list[Shape], shape: Any) -> Shape:
    """The shape that is asked for, of as many elements."""
    if prod(shape) != prod(shapes[0]):
        raise Misfit(f"{shapes[0]} cannot be reshaped to {shape}")
    return tuple(shape)


# An axis of `widened` and `stacked` is counted in the result, which has one more.
def widened(shapes: list[Shape], axis: Any) -> Shape:
    """That of the first value with a new axis of size 1."""
    # The axis may be the last of the result: checked against one axis more.
    at = _axis((*shapes[0], 1), axis)
    return (*shapes[0][:at], 1, *shapes[0][at:])


def expanded(shapes: list[Shape], shape: Any) -> Shape:
    """The shape that the first value is broadcast to."""
    if broadcast([shapes[0], tuple(shape)]) != tuple(shape):
        raise Misfit(f"{shapes[0]} cannot be broadcast to {shape}")
    return tuple(shape)


def indexed(shapes: list[Shape], *options: Any) -> Shape:
    """That of a row."""
    if not shapes[0] or (options and not -shapes[0][0] <= options[-1] < shapes[0][0]):
        raise Misfit(f"{shapes[0]} has no row {options}")
    return shapes[0][1:]


def narrowed(shapes: list[Shape], axis: Any, start: Any, length: Any) -> Shape:
    """That of a part of an axis."""
    at = _axis(shapes[0], axis)
    if start + length > shapes[0][at]:
        raise Misfit(f"{shapes[0]} is shorter than {start + length} along axis {axis}")
    return (*shapes[0][:at], length, *shapes[0][at + 1 :])


def diagonal(shapes: list[Shape], *options: Any) -> Shape:
    """That of the diagonals of the first two axes."""
    if len(shapes[0]) != 2:
        raise Misfit(f"{shapes[0]} is no matrix")
    return (min(shapes[0]),)


def stacked(shapes: list[Shape], axis: Any) -> Shape:
    """That of equal shapes, stacked along a new axis."""
    if len(set(shapes)) != 1:
        raise Misfit(f"the shapes {shapes} differ")
    at = _axis((*shapes[0], 1), axis)
    return (*shapes[0][:at], len(shapes), *shapes[0][at:])


def concatenated(shapes: list[Shape], axis: Any) -> Shape:
    """That of arrays joined along an axis that they have."""
    at = _axis(shapes[0], axis)
    if len({(*shape[:at], *shape[at + 1 :]) for shape in shapes}) != 1 or len({*map(len, shapes)}) != 1:
        raise Misfit(f"the shapes {shapes} differ beside axis {axis}")
    return (*shapes[0][:at], sum(shape[at] for shape in shapes), *shapes[0][at + 1 :])


def contracted(shapes: list[Shape], *options: Any) -> Shape:
    """That of a product of vectors and matrices."""
    left, right = shapes
    # A matrix on the right is contracted by its rows, a vector by its only axis.
    if not left or not right or len(left) > 2 or len(right) > 2 or left[-1] != right[-2 if len(right) > 1 else 0]:
        raise Misfit(f"{left} and {right} have no matrix product")
    return left[:-1] + (right[1:] if len(right) > 1 else ())


def product(shapes: list[Shape], *options: Any) -> Shape:
    """That of the outer product of vectors."""
    if any(len(shape) != 1 for shape in shapes):
        raise Misfit(f"{shapes} are no vectors")
    return shapes[0] + shapes[1]
