"""The pullback of an operation as a function of its cotangent, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from conformance.operations.judging import Judgement, compared_each
from conformance.operations.problem import Problem
from conformance.operations.samples import NumPyArray

__all__ = ["has_the_form_of_the_input", "is_linear", "is_zero_for_zero"]


def is_linear(problem: Problem) -> Judgement | None:
    """Whether the pullback of a combination of cotangents is the combination."""
    one, other = (_cotangents(problem, number) for number in (0, 1))
    both = [2.0 * x - 3.0 * y for x, y in zip(one, other, strict=True)]
    expected = [
        2.0 * x - 3.0 * y for x, y in zip(_pulled_back(problem, one), _pulled_back(problem, other), strict=True)
    ]
    return compared_each(_pulled_back(problem, both), expected, "VJP of a combination of cotangents")


def is_zero_for_zero(problem: Problem) -> Judgement | None:
    """Whether the pullback of zeros is zeros."""
    zeros = [numpy.zeros_like(x) for x in _cotangents(problem, 0)]
    found = _pulled_back(problem, zeros)
    return compared_each(found, [numpy.zeros_like(x) for x in found], "VJP of zeros")


def has_the_form_of_the_input(problem: Problem) -> Judgement | None:
    """Whether each gradient has the shape and the dtype of its input, in double and in single precision."""
    for dtype in ("float64", "float32"):
        typed = Problem(problem.ad, problem.sample, dtype)
        for gradient, x in zip(
            problem.ad.grad(typed.scalar, typed.argnums)(*typed.primals), typed.primals, strict=True
        ):
            got, expected = ((problem.ad.dtype_of(one), tuple(one.shape)) for one in (gradient, x))
            if got != expected:
                return Judgement(f"{got[0]} of shape {got[1]}", f"{expected[0]} of shape {expected[1]}", "gradient")
    return None


def _cotangents(problem: Problem, number: int) -> list[NumPyArray]:
    """A cotangent for each output, drawn; of complex outputs, complex."""
    drawn = []
    for at, output in enumerate(problem.numbers(problem.outputs(*problem.primals))):
        real, imaginary = (problem.sample.cotangent(100 * number + 10 * at + part, output.shape) for part in (1, 2))
        drawn.append(real + 1j * imaginary if output.dtype.kind == "c" else real)
    return drawn


def _pulled_back(problem: Problem, cotangents: Sequence[NumPyArray]) -> list[NumPyArray]:
    single = len(cotangents) == 1
    outputs = (lambda *xs: problem.outputs(*xs)[0]) if single else (lambda *xs: tuple(problem.outputs(*xs)))
    _, pullback = problem.ad.vjp(outputs, *problem.primals)
    given = tuple(problem.array(cotangent) for cotangent in cotangents)
    return problem.numbers(pullback(given[0] if single else given))
