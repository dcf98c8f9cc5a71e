"""The pullback of an operation as a function of its cotangent, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy

from conformance.operations.judging import Judgement, agrees_with_differences, compared_each
from conformance.operations.problem import Problem
from conformance.operations.samples import NumPyArray
from conformance.protocol.types import Array, Program

__all__ = ["gives_the_jvp", "has_the_form_of_the_input", "is_linear", "is_zero_for_zero"]


def is_linear(problem: Problem) -> Judgement | None:
    """Whether the pullback of a combination of cotangents is the combination."""
    one, other = (_cotangent(problem, number) for number in (0, 1))
    pairs = zip(_pulled_back(problem, one), _pulled_back(problem, other), strict=True)
    expected = [2.0 * x - 3.0 * y for x, y in pairs]
    return compared_each(_pulled_back(problem, 2.0 * one - 3.0 * other), expected, "VJP of a combination of cotangents")


def is_zero_for_zero(problem: Problem) -> Judgement | None:
    """Whether the pullback of zeros is zeros."""
    found = _pulled_back(problem, numpy.zeros_like(_cotangent(problem, 0)))
    return compared_each(found, [numpy.zeros_like(x) for x in found], "VJP of zeros")


def gives_the_jvp(problem: Problem) -> Judgement | None:
    """Whether the derivative of <VJP(g), v> by the cotangent g is the JVP along v, by differences of the values."""
    return agrees_with_differences(problem, problem.scalar, _by_the_cotangent, 1)


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


def _by_the_cotangent(problem: Problem, scalar: Program, number: int) -> Program:
    """The derivative by the cotangent of the VJP's inner product with a direction: of `scalar`, along the direction."""
    ad, directions = problem.ad, problem.directions(number)

    def tangent(xs: Sequence[Array], cotangent: Array) -> Array:
        _, pullback = ad.vjp(lambda *xs: _flat(problem, _real_parts(problem, *xs)), *xs)
        # On a tape, a VJP that is zero is not part of a graph.
        return problem.dot(pullback(cotangent), directions) + ad.np.sum(cotangent) * 0.0

    def derivative(*xs: Array) -> Array:
        weights = _flat(problem, _weights(problem, *xs))
        return ad.np.sum(ad.grad(partial(tangent, xs))(weights) * weights)

    return derivative


def _cotangent(problem: Problem, number: int) -> NumPyArray:
    """A cotangent for the outputs, drawn; of complex outputs, complex."""
    (output,) = problem.numbers([_outputs(problem, *problem.primals)])
    real, imaginary = (problem.sample.cotangent(100 * number + part, output.shape) for part in (1, 2))
    return real + 1j * imaginary if output.dtype.kind == "c" else real


def _outputs(problem: Problem, *xs: Array) -> Array:
    return _flat(problem, problem.outputs(*xs))


def _real_parts(problem: Problem, *xs: Array) -> list[Array]:
    """The outputs; of complex ones the real and the imaginary part."""
    np = problem.ad.np
    parts = ((np.real(x), np.imag(x)) if _is_complex(problem, x) else (x,) for x in problem.outputs(*xs))
    return [part for each in parts for part in each]


def _weights(problem: Problem, *xs: Array) -> list[Array]:
    """What `Problem.scalar` multiplies each of them with."""
    found = []
    for number, x in enumerate(problem.outputs(*xs)):
        numbers = (number, -1 - number) if _is_complex(problem, x) else (number,)
        found += [problem.array(problem.sample.cotangent(one, tuple(x.shape))) for one in numbers]
    return found


def _is_complex(problem: Problem, x: Array) -> bool:
    return bool(problem.ad.dtype_of(x).startswith("complex"))


def _flat(problem: Problem, xs: Sequence[Array]) -> Array:
    """Several arrays as one: not every engine has a VJP of several outputs, and HIPS autograd's is zero."""
    np = problem.ad.np
    return xs[0] if len(xs) == 1 else np.concat([np.reshape(x, (-1,)) for x in xs])


def _pulled_back(problem: Problem, cotangent: NumPyArray) -> list[NumPyArray]:
    _, pullback = problem.ad.vjp(partial(_outputs, problem), *problem.primals)
    return problem.numbers(pullback(problem.array(cotangent)))
