"""A batch of points: programs mapped over an axis of it, compared with a loop over its elements."""

from __future__ import annotations

import numpy

from conformance.operations.judging import Judgement, compared, compared_each
from conformance.operations.problem import Problem
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Program

__all__ = ["agrees_with_loop", "gradient_agrees_with_loop"]

# The axes over which a batch is mapped: the first of each argument, and the last.
FIRST, LAST = "first", "last"


def agrees_with_loop(problem: Problem, program: Program) -> Judgement | None:
    """Whether the program mapped over a batch, along its first and its last axis, is the program of each element."""
    points = _batch(problem)
    looped = [problem.number(program(*map(problem.array, point))) for point in points]
    for axis in (FIRST, LAST):
        mapped = problem.ad.vmap(program, _axes(problem, axis))(*_stacked(problem, points, axis))
        got = problem.ad.to_numpy(mapped)
        if found := compared(got, looped, f"vmap over the {axis} axis", _rounding(problem)):
            return found
    return None


def gradient_agrees_with_loop(problem: Problem) -> Judgement | None:
    """Whether the gradient of a sum over vmap of the program is the gradient of each element."""
    points = _batch(problem)
    gradient = problem.ad.grad(problem.scalar, problem.argnums)
    looped = [problem.numbers(gradient(*map(problem.array, point))) for point in points]

    def total(*xs: Array) -> Array:
        return problem.ad.np.sum(problem.ad.vmap(problem.scalar)(*xs))

    got = problem.numbers(problem.ad.grad(total, problem.argnums)(*_stacked(problem, points, FIRST)))
    expected = [numpy.stack(parts) for parts in zip(*looped, strict=True)]
    return compared_each(got, expected, "gradient of a sum over vmap", _rounding(problem))


def _rounding(problem: Problem) -> float:
    """What is left where terms of about one cancel. In a tail a derivative is tiny, and no sum."""
    return 0.0 if problem.sample.in_tail else float(numpy.finfo("float64").eps)


def _batch(problem: Problem) -> list[tuple[NumPyArray, ...]]:
    """The point of the problem, and its neighbour."""
    return [problem.sample.differentiated, problem.sample.neighbour().differentiated]


def _axes(problem: Problem, axis: str) -> tuple[int, ...]:
    return tuple(0 if axis == FIRST else x.ndim for x in problem.sample.differentiated)


def _stacked(problem: Problem, points: list[tuple[NumPyArray, ...]], axis: str) -> list[Array]:
    return [
        problem.array(numpy.stack(parts, at))
        for parts, at in zip(zip(*points, strict=True), _axes(problem, axis), strict=True)
    ]
