"""Laws of the pullback of an operation as a function of its cotangent, and of the form of its results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy

from conformance.laws.comparison import Difference, compared_each
from conformance.laws.judge import agrees_with_differences
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.subject import NumPyArray, Subject
from conformance.protocol.types import Array, Program


def is_linear(subject: OperationSubject) -> Difference | None:
    """Whether the pullback of a combination of cotangents is the combination."""
    g, h = (_cotangent(subject, number) for number in (0, 1))
    pairs = zip(_pulled_back(subject, g), _pulled_back(subject, h), strict=True)
    # Unlike factors, of either sign: a pullback that takes an absolute value or drops a factor differs.
    expected = [2.0 * x - 3.0 * y for x, y in pairs]
    return compared_each(_pulled_back(subject, 2.0 * g - 3.0 * h), expected, "VJP of a combination of cotangents")


def is_zero_for_zero(subject: OperationSubject) -> Difference | None:
    """Whether the pullback of zeros is zeros."""
    zeros = _pulled_back(subject, numpy.zeros_like(_cotangent(subject, 0)))
    return compared_each(zeros, [numpy.zeros_like(x) for x in zeros], "VJP of zeros")


def gives_the_jvp(subject: OperationSubject) -> Difference | None:
    """Whether the derivative of <VJP(g), v> by the cotangent g is the JVP along v, by differences of the values."""
    return agrees_with_differences(subject, subject.scalar, _by_the_cotangent, 1)


def has_the_form_of_the_input(subject: OperationSubject) -> Difference | None:
    """Whether each gradient has the shape and the dtype of its input, in double and in single precision."""
    for dtype in ("float64", "float32"):
        typed = OperationSubject(subject.ad, subject.sample, dtype)
        for gradient, x in zip(
            subject.ad.grad(typed.scalar, typed.argnums)(*typed.primals), typed.primals, strict=True
        ):
            got, expected = ((subject.ad.dtype_of(array), tuple(array.shape)) for array in (gradient, x))
            if got != expected:
                return Difference(
                    "form", f"{got[0]} of shape {got[1]}", f"{expected[0]} of shape {expected[1]}", what="gradient"
                )
    return None


def _by_the_cotangent(subject: Subject, scalar: Program, number: int) -> Program:
    """The derivative by the cotangent of the VJP's inner product with a direction: of `scalar`, along the direction."""
    ad, directions = subject.ad, subject.directions(number)

    def tangent(xs: Sequence[Array], cotangent: Array) -> Array:
        _, pullback = ad.vjp(lambda *xs: _flat(subject, [part for _, part in subject.parts(*xs)]), *xs)
        # On a tape, a VJP that is zero is not part of a graph.
        return subject.dot(pullback(cotangent), directions) + ad.np.sum(cotangent) * 0.0

    def derivative(*xs: Array) -> Array:
        weights = _flat(subject, subject.weights(subject.parts(*xs)))
        return ad.np.sum(ad.grad(partial(tangent, xs))(weights) * weights)

    return derivative


def _cotangent(subject: OperationSubject, number: int) -> NumPyArray:
    """A cotangent for the outputs, drawn; of complex outputs, complex."""
    (output,) = subject.numbers([_outputs(subject, *subject.primals)])
    real, imaginary = (subject.cotangent(100 * number + part, output.shape) for part in (1, 2))
    return real + 1j * imaginary if output.dtype.kind == "c" else real


def _outputs(subject: OperationSubject, *xs: Array) -> Array:
    return _flat(subject, subject.outputs(*xs))


def _flat(subject: Subject, xs: Sequence[Array]) -> Array:
    """Join several arrays: not every engine has a VJP of several outputs, and HIPS autograd's is zero."""
    np = subject.ad.np
    return xs[0] if len(xs) == 1 else np.concat([np.reshape(x, (-1,)) for x in xs])


def _pulled_back(subject: OperationSubject, cotangent: NumPyArray) -> list[NumPyArray]:
    _, pullback = subject.ad.vjp(partial(_outputs, subject), *subject.primals)
    return subject.numbers(pullback(subject.array(cotangent)))
