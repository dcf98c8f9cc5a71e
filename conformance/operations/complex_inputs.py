"""Operations of complex numbers, as programs of a real array that moves the real or the imaginary part of the input."""

from __future__ import annotations

from conformance.operations.compositions import Derivative
from conformance.operations.judging import Judgement, agrees_with_differences, first_of
from conformance.operations.problem import Problem
from conformance.protocol.types import Array, Program

__all__ = ["agrees_for_both_parts"]

# What the other part is meanwhile.
OTHER = 0.5


def agrees_for_both_parts(problem: Problem, derivative: Derivative) -> Judgement | None:
    """Whether the derivatives by the real and by the imaginary part of the inputs are those of differences."""
    programs = (_moving(problem, 1.0, OTHER * 1j), _moving(problem, 1j, OTHER))
    return first_of(agrees_with_differences(problem, program, derivative) for program in programs)


def _moving(problem: Problem, factor: complex, constant: complex) -> Program:
    def program(*xs: Array) -> Array:
        return problem.scalar(*(x * factor + constant for x in xs))

    return program
