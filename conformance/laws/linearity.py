"""Laws of the pullback of an operation as a function of its cotangent, and of the form of its results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared_each
from conformance.laws.estimates import estimate
from conformance.laws.judge import beside_differences
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient, quantity
from conformance.laws.subject import NumPyArray, Subject
from conformance.protocol.types import Array, Arrays


def is_linear(subject: OperationSubject) -> Difference | None:
    """Whether the pullback of a combination of cotangents is the combination."""
    g, h = (some_cotangent(subject, number) for number in (0, 1))
    pairs = zip(subject.ask_numbers(pulled_back, g), subject.ask_numbers(pulled_back, h), strict=True)
    # Unlike factors, of either sign: a pullback that takes an absolute value or drops a factor differs.
    expected = [2.0 * x - 3.0 * y for x, y in pairs]
    got = subject.ask_numbers(pulled_back, 2.0 * g - 3.0 * h)
    return compared_each(got, expected, "VJP of a combination of cotangents")


def is_zero_for_zero(subject: OperationSubject) -> Difference | None:
    """Whether the pullback of zeros is zeros."""
    zeros = subject.ask_numbers(pulled_back, numpy.zeros_like(some_cotangent(subject, 0)))
    return compared_each(zeros, [numpy.zeros_like(x) for x in zeros], "VJP of zeros")


def gives_the_jvp(subject: OperationSubject) -> Difference | None:
    """Whether the derivative of <VJP(g), v> by the cotangent g is the JVP along v, by differences of the values."""
    got = subject.number(subject.ask(by_the_cotangent)[0])
    return beside_differences(subject, got, subject.scalar_along(subject.direction(1)), estimate(subject, 1))


def has_the_form_of_the_input(subject: OperationSubject) -> Difference | None:
    """Whether each gradient has the shape and the dtype of its input, in double and in single precision."""
    only = subject.operation.dtype
    for dtype in (only,) if only else ("float64", "float32"):
        typed = OperationSubject(subject.ad, subject.sample, dtype)
        for partial_derivative, x in zip(typed.ask(gradient), typed.primals, strict=True):
            got, expected = ((typed.ad.dtype_of(array), tuple(array.shape)) for array in (partial_derivative, x))
            if got != expected:
                return Difference(
                    "form", f"{got[0]} of shape {got[1]}", f"{expected[0]} of shape {expected[1]}", what="gradient"
                )
    return None


@quantity()
def by_the_cotangent(at: Any) -> Arrays:
    """The derivative by the cotangent of the VJP's inner product with direction 1: of `scalar`, along the direction."""
    ad, directions = at.ad, at.directions(1)

    def tangent(cotangent: Array) -> Array:
        _, pullback = ad.vjp(lambda *xs: _flat(at, [part for _, part in at.parts(*xs)]), *at.primals)
        # On a tape, a VJP that is zero is not part of a graph.
        return at.dot(pullback(cotangent), directions) + ad.np.sum(cotangent) * 0.0

    weights = _flat(at, at.cotangents)
    return [ad.np.sum(ad.grad(tangent)(weights) * weights)]


def some_cotangent(subject: Any, number: int) -> NumPyArray:
    """A cotangent for the joined outputs, drawn; of complex outputs, complex."""
    outline = subject.outline
    shape = outline[0].shape if len(outline) == 1 else (sum(math.prod(output.shape) for output in outline),)
    real, imaginary = (subject.cotangent(100 * number + part, shape) for part in (1, 2))
    cotangent: NumPyArray = real + 1j * imaginary if any(output.is_complex for output in outline) else real
    return cotangent


def flat_outputs(subject: Subject, *xs: Array) -> Array:
    """The outputs as one array."""
    return _flat(subject, subject.outputs(*xs))


def _flat(subject: Subject, xs: Sequence[Array]) -> Array:
    """Join several arrays: not every engine has a VJP of several outputs, and HIPS autograd's is zero."""
    np = subject.ad.np
    return xs[0] if len(xs) == 1 else np.concat([np.reshape(x, (-1,)) for x in xs])


@quantity(extras=lambda at: [some_cotangent(at, 0)], typed=True)
def pulled_back(at: Any, cotangent: Array) -> Arrays:
    """The VJP of the outputs for a cotangent."""
    _, pullback = at.ad.vjp(partial(flat_outputs, at), *at.primals)
    arrays: Arrays = pullback(cotangent)
    return arrays
