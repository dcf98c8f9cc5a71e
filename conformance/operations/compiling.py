"""Compiled programs of an operation beside eager ones."""

from __future__ import annotations

from collections.abc import Callable

from conformance.operations.compositions import gradient
from conformance.operations.judging import Judgement, agrees
from conformance.operations.problem import Problem
from conformance.protocol.types import Program

__all__ = ["agrees_with_eager"]


def agrees_with_eager() -> Callable[[Problem], Judgement | None]:
    """A judge of whether the gradient of a jitted program is that of the program.

    A program is compiled once for each variant of the options, with the cotangents of its first point, and is then
    called at the others: compiling takes much longer than all the rest.
    """
    compiled: dict[tuple[int, bool], tuple[Program, Program]] = {}

    def judge(problem: Problem) -> Judgement | None:
        at = problem.sample.variant, problem.sample.single
        if at not in compiled:
            compiled[at] = problem.ad.grad(problem.ad.jit(problem.scalar), problem.argnums), gradient(problem)
        return agrees(problem, *compiled[at])

    return judge
