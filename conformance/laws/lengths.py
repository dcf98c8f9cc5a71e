"""Length: arrays of more elements than the largest number of half precision, which a mean divides by."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, first_of, largest
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.precision import FLOAT16
from conformance.laws.quantity import OF_LONG_ARRAYS, quantity
from conformance.laws.subject import NumPyArray, Subject
from conformance.operations import is_of_any_length
from conformance.protocol.types import Array, Arrays

COUNT = 70_000
# The outputs are multiplied by it, so that parts of a mean are normal numbers, which have all digits.
MULTIPLE = 8.0
# Of the largest number: left to sums of so many terms, whose rounding in half precision no engine promises to bound.
COARSE = 0.1


def _long(at: Any) -> list[NumPyArray]:
    """The numbers of the point in half precision, repeated along the last axis."""
    numbers = [FLOAT16.rounded(x) for x in at.point]
    return [numpy.tile(x, (1,) * (x.ndim - 1) + (-(-COUNT // x.size),)) for x in numbers]


@quantity(_long, lambda at: is_of_any_length(at.operation), typed=True, asked=OF_LONG_ARRAYS)
def of_long_arrays(at: Subject, *xs: Array) -> Arrays:
    """The gradient of long arrays."""
    gradient = at.ad.grad(lambda *xs: at.scalar(*xs) * MULTIPLE, at.argnums)(*xs)
    return tuple(at.ad.cast(x, "float64") for x in gradient)


def agrees_for_long_arrays(subject: OperationSubject) -> Difference | None:
    """Whether the gradient of a long array in half precision is near that in double precision, if half has it."""
    expected = subject.ask_numbers(of_long_arrays)
    if not FLOAT16.holds(numpy.asarray(largest(expected))):
        return None
    got = OperationSubject(subject.ad, subject.sample, FLOAT16.name).ask_numbers(of_long_arrays)
    return first_of(_compared_where_worst(x, y) for x, y in zip(got, expected, strict=True))


def _compared_where_worst(x: NumPyArray, y: NumPyArray) -> Difference | None:
    # A message with all numbers says no more. Of NaN, the distance is the largest.
    worst = numpy.argmax(numpy.abs(x - y))
    what = f"gradient of {COUNT} elements in {FLOAT16.name}, at {worst}"
    return compared(x.flat[worst], y.flat[worst], what, scale=largest([y]), relative=COARSE)
