"""Cotangents in another layout: programs of an operation's outputs that hand over a view as the cotangent.

The gradient of a sum over an axis is expanded (stride 0), that of a transpose is transposed, and that of a stack is a
slice of a larger array. Each is computed by the engine, so the cotangent really lies so where the engine has views.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, first_of, largest
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, gradient, register
from conformance.laws.subject import NumPyArray, Subject
from conformance.protocol.types import Array, Arrays

# Beside the output in a larger array: what a rule that ignores strides takes for the cotangent.
BESIDE = 100.0


@dataclass(frozen=True)
class Handover:
    """`total` is a number that is computed of an output, whose cotangent is `weights` in that layout."""

    name: str
    weights: Callable[[NumPyArray], NumPyArray]
    total: Callable[[Subject, Array, NumPyArray], Array]


def _equal_along_the_last(weights: NumPyArray) -> NumPyArray:
    # A sum over the axis has the same cotangent for all elements along it.
    return numpy.broadcast_to(weights[..., :1], weights.shape) if weights.ndim else weights


def _summed(at: Subject, output: Array, weights: NumPyArray) -> Array:
    # A number has no last axis, and without elements there is no first weight along it.
    if not weights.ndim or not weights.size:
        return _plain(at, output, weights)
    return _plain(at, at.ad.np.sum(output, -1), weights[..., 0])


def _transposed(at: Subject, output: Array, weights: NumPyArray) -> Array:
    # A transpose of more axes has no name that all engines share.
    if weights.ndim != 2:
        return _plain(at, output, weights)
    return _plain(at, at.ad.np.transpose(output), weights.T)


def _stacked(at: Subject, output: Array, weights: NumPyArray) -> Array:
    if not weights.size:
        return _plain(at, output, weights)
    # The stack's cotangent has BESIDE after each weight, so that the output's is every second number of it.
    both = at.ad.np.stack([output, at.array(numpy.ones_like(weights))], -1)
    return _plain(at, both, numpy.stack([weights, numpy.full_like(weights, BESIDE)], -1))


def _plain(at: Subject, output: Array, weights: NumPyArray) -> Array:
    # An array without elements, made of lists, is of another shape.
    return at.ad.np.sum(output * at.array(weights) if weights.size else output)


EXPANDED = Handover("expanded", _equal_along_the_last, _summed)
TRANSPOSED = Handover("transposed", lambda weights: weights, _transposed)
SLICED = Handover("sliced", lambda weights: weights, _stacked)


def _gradients(handover: Handover) -> Quantity:
    """The gradient for cotangents in that layout; then for the same numbers as they are."""

    def by(at: Any, total: Callable[[Subject, Array, NumPyArray], Array]) -> Arrays:
        def program(*xs: Array) -> Array:
            return sum(total(at, part, _weights(at, handover, number, part)) for number, part in at.parts(*xs))

        return tuple(at.ad.grad(program, at.argnums)(*at.primals))

    return Quantity(
        f"gradients for a cotangent that is {handover.name}",
        lambda at: [*by(at, handover.total), *by(at, _plain)],
    )


def _weights(at: Any, handover: Handover, number: int, part: Array) -> NumPyArray:
    return handover.weights(at.cotangent(number, tuple(part.shape)))


GRADIENTS = {handover: register(_gradients(handover)) for handover in (EXPANDED, TRANSPOSED, SLICED)}


def agrees_for_cotangents(subject: OperationSubject, handover: Handover) -> Difference | None:
    """Whether the gradient for cotangents in a layout is that for the same numbers in the usual one."""
    both = subject.ask_numbers(GRADIENTS[handover])
    what, count = f"gradient for a cotangent that is {handover.name}", len(subject.point)
    pairs = list(zip(both[:count], both[count:], strict=True))
    # Equal cotangents may cancel: the gradient of a softmax is zero for them. For those of random signs, it is as
    # large as the terms are that were added up, whose rounding is left. Few subjects need to be asked for it.
    return first_of(compared(x, y, what) for x, y in pairs) and first_of(
        compared(x, y, what, subject.rounding, largest([terms]))
        for (x, y), terms in zip(pairs, subject.ask_numbers(gradient), strict=True)
    )
