"""Points without a derivative: what the modes give there, beside the derivatives of both sides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy

from conformance.laws.comparison import Difference, first_of, shown
from conformance.laws.differences import sides
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient
from conformance.laws.quantity import values as values_of
from conformance.mismatch import Mismatch
from conformance.operations.row import Operation
from conformance.operations.samples import NumPyArray, samples
from conformance.trial import current
from conformance.verdicts import Witness

# How many points near a kink are looked at, and how far they are from it.
NEARBY, DISTANCE = 6, 1e-3
# Along a single direction, what is no subgradient may lie between the sides by chance.
DIRECTIONS = (0, NEARBY + 1, NEARBY + 2, NEARBY + 3)
# For the one-sided derivatives by a number: so short that what is nearly tied with it stays apart.
STEP = 1e-4
# One-sided derivatives that differ by more, beside their size, are those of a kink.
APART = 1e-4
# Conventions of the gradient, by how far it is on the way from the lower to the upper of the one-sided derivatives
# (0 to 1) by each number of the arguments, and by its value. At a tie of several numbers, the first or the last may
# have it all.
NAMES: dict[str, Callable[[NumPyArray, NumPyArray], bool]] = {
    "lower": lambda part, got: not part.any(),
    "upper": lambda part, got: bool((part == 1).all()),
    "zero": lambda part, got: not got.any(),
    "mean": lambda part, got: bool((part == 0.5).all()),
    "equal shares": lambda part, got: bool((part == part[0]).all() and 0 < part[0] < 1),
    "first": lambda part, got: set(part) == {0, 1} and part[0] > part[-1],
    "last": lambda part, got: set(part) == {0, 1} and part[0] < part[-1],
    "one": lambda part, got: set(part) == {0, 1},
}


def lies_between(subject: OperationSubject) -> Difference | None:
    """Whether the gradient along some directions lies between the derivatives of both sides.

    Each element of the outputs has its own two sides: of a sum of a maximum and a minimum that are both tied, the
    sums of the lower and of the upper ones. Where three arguments are tied, the derivatives nearby count as well.
    """
    return first_of(_lies_between(subject, number) for number in DIRECTIONS)


def _lies_between(subject: OperationSubject, along: int) -> Difference | None:
    """The same along the direction of that number."""
    got = subject.number(subject.dot(subject.ask(gradient), subject.directions(along)))
    left, right = sides(_elements(subject, subject.direction(along)))
    near = [_nearby(subject, along, number) for number in range(1, NEARBY + 1)]
    values = numpy.stack([left.value, right.value, *near])
    low, high = float(values.min(0).sum()), float(values.max(0).sum())
    # Ten times the estimated error, as for all laws.
    slack = 10 * float(numpy.sum(numpy.maximum(left.error, right.error))) + 1e-6 * max(abs(low), abs(high))
    if low - slack <= got <= high + slack:
        return None
    return Difference(
        "numbers", shown(got), f"a number from {low:.9g} to {high:.9g}", what="gradient along a direction"
    )


def _elements(subject: OperationSubject, direction: Sequence[NumPyArray]) -> Callable[[float], Any]:
    """The elements of all outputs, each times its cotangent, as functions of the distance from the point."""

    weights = subject.numbers(subject.cotangents)

    def values(t: float) -> NumPyArray:
        at = subject.moved_to([x + t * v for x, v in zip(subject.point, direction, strict=True)])
        weighted = (x * w for x, w in zip(at.ask_numbers(values_of), weights, strict=True))
        return numpy.concatenate([numpy.ravel(numpy.real(x)) for x in weighted])

    return values


def _nearby(subject: OperationSubject, along: int, away: int) -> NumPyArray:
    """The derivatives of the elements along a direction, at a point from where the kink was left by another.

    From two such points, what depends on the distance is taken out.
    """
    direction, step = subject.direction(along), subject.direction(away)

    def derivative(distance: float) -> NumPyArray:
        h = distance / 100
        above, below = (
            _elements(subject, [distance * w + t * v for v, w in zip(direction, step, strict=True)])(1.0)
            for t in (h, -h)
        )
        slope: NumPyArray = (above - below) / (2 * h)
        return slope

    return 2 * derivative(DISTANCE / 2) - derivative(DISTANCE)


def convention_of(ad: Any, operation: Operation) -> str | None:
    """The convention of the gradient at the kinks of an operation: a name for all kinks, or a name for each kind.

    Raises Mismatch where another point of the same kind has another. None where all partial derivatives exist.
    """
    named = {}
    for sample in samples(operation, smooth=False, kinks=True):
        current().assertions += 1
        # With a cotangent of ones: the lower of two derivatives is then that of the operation.
        name, other = (
            _named(OperationSubject(ad, replace(point, single=True))) for point in (sample, sample.neighbour())
        )
        if name != other:
            message = f"gradient at a {sample.at}: one point has {name}, and another of its kind {other}"
            raise Mismatch(message, Witness(str(name), str(other), "gradient", sample.at))
        if name:
            named[sample.at] = name
    if len(set(named.values())) < 2:
        return next(iter(named.values()), None)
    return ", ".join(f"{kind}: {name}" for kind, name in named.items())


def _named(subject: OperationSubject) -> str:
    """The convention of the gradient by the numbers by which left and right differ; empty if there are none."""
    got = numpy.concatenate([x.ravel() for x in subject.numbers(subject.gradient)])
    pairs = [sides(_along_axis(subject, at), STEP) for at in range(got.size)]
    left, right = (numpy.array([pair[side].value for pair in pairs]) for side in (0, 1))
    low, high = numpy.minimum(left, right), numpy.maximum(left, right)
    kinked = high - low > APART * (1 + numpy.abs(high) + numpy.abs(low))
    if not kinked.any():
        return ""
    if not numpy.isfinite(got[kinked]).all():
        return "not finite"
    # 0 is the lower derivative and 1 the upper one, at whichever sizes: names of conventions compare these.
    part = (got[kinked] - low[kinked]) / (high[kinked] - low[kinked])
    return next((name for name, holds in NAMES.items() if holds(numpy.round(part, 3), got[kinked])), "between")


def _along_axis(subject: OperationSubject, number: int) -> Callable[[float], float]:
    """The subject's value as a function of the distance by a number of its arguments."""
    shapes = [x.shape for x in subject.point]
    flat = numpy.zeros(sum(map(math.prod, shapes)))
    flat[number] = 1.0
    ends = numpy.cumsum([math.prod(shape) for shape in shapes])
    parts = zip(numpy.split(flat, ends[:-1]), shapes, strict=True)
    return subject.scalar_along([part.reshape(shape) for part, shape in parts])
