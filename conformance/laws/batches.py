"""A batch of points: programs mapped over an axis of it, compared with a loop over its elements."""

from __future__ import annotations

import numpy

from conformance.laws.judge import Judgement, compared, compared_each
from conformance.laws.operation_subject import OperationSubject
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Program

__all__ = ["agrees_with_loop", "gradient_agrees_with_loop"]

# The axes over which a batch is mapped: the first of each argument, and the last.
FIRST, LAST = "first", "last"


def agrees_with_loop(subject: OperationSubject, program: Program) -> Judgement | None:
    """Whether the program mapped over a batch, along its first and its last axis, is the program of each element."""
    points = _batch(subject)
    looped = [subject.number(program(*map(subject.array, point))) for point in points]
    for axis in (FIRST, LAST):
        mapped = subject.ad.vmap(program, _axes(subject, axis))(*_stacked(subject, points, axis))
        got = subject.ad.to_numpy(mapped)
        if found := compared(got, looped, f"vmap over the {axis} axis", _rounding(subject)):
            return found
    return None


def gradient_agrees_with_loop(subject: OperationSubject) -> Judgement | None:
    """Whether the gradient of a sum over vmap of the program is the gradient of each element."""
    points = _batch(subject)
    gradient = subject.ad.grad(subject.scalar, subject.argnums)
    looped = [subject.numbers(gradient(*map(subject.array, point))) for point in points]

    def total(*xs: Array) -> Array:
        return subject.ad.np.sum(subject.ad.vmap(subject.scalar)(*xs))

    got = subject.numbers(subject.ad.grad(total, subject.argnums)(*_stacked(subject, points, FIRST)))
    expected = [numpy.stack(parts) for parts in zip(*looped, strict=True)]
    return compared_each(got, expected, "gradient of a sum over vmap", _rounding(subject))


def _rounding(subject: OperationSubject) -> float:
    """What is left where terms of about one cancel. In a tail a derivative is tiny, and no sum."""
    return 0.0 if subject.sample.in_tail else float(numpy.finfo("float64").eps)


def _batch(subject: OperationSubject) -> list[tuple[NumPyArray, ...]]:
    """The point of the subject, and its neighbour."""
    return [subject.sample.differentiated, subject.sample.neighbour().differentiated]


def _axes(subject: OperationSubject, axis: str) -> tuple[int, ...]:
    return tuple(0 if axis == FIRST else x.ndim for x in subject.sample.differentiated)


def _stacked(subject: OperationSubject, points: list[tuple[NumPyArray, ...]], axis: str) -> list[Array]:
    return [
        subject.array(numpy.stack(parts, at))
        for parts, at in zip(zip(*points, strict=True), _axes(subject, axis), strict=True)
    ]
