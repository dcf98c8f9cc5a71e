"""Points without a derivative: what the modes give there, beside the derivatives of both sides."""

from __future__ import annotations

from conformance.operations.compositions import forward, reverse
from conformance.operations.differences import sides
from conformance.operations.judging import Judgement, compared
from conformance.operations.problem import Problem

__all__ = ["lies_between", "modes_agree"]


def modes_agree(problem: Problem) -> Judgement | None:
    """Whether reverse and forward mode give the same along a direction."""
    one, other = (problem.number(mode(problem, problem.scalar, 0)(*problem.primals)) for mode in (forward, reverse))
    return compared(one, other, "JVP beside VJP along a direction")


def lies_between(problem: Problem) -> Judgement | None:
    """Whether the gradient along a direction lies between the derivatives of both sides."""
    got = problem.number(reverse(problem, problem.scalar, 0)(*problem.primals))
    left, right = sides(problem.along(problem.scalar, 0))
    low, high = min(left.value, right.value), max(left.value, right.value)
    slack = 10 * max(left.error, right.error) + 1e-6 * max(abs(low), abs(high))
    if low - slack <= got <= high + slack:
        return None
    return Judgement(got, f"a number from {low:.9g} to {high:.9g}", "gradient along a direction")
