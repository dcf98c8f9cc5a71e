"""Derivatives at the ends, where they are nearly too small or too large, compared relatively."""

from __future__ import annotations

import sys

from conformance.laws.comparison import Difference, compared
from conformance.laws.compositions import (
    FORWARD,
    FORWARD_OVER_FORWARD,
    FORWARD_THREE_TIMES,
    REVERSE,
    REVERSE_OVER_REVERSE,
    REVERSE_THREE_TIMES,
    Composition,
    derivative_alone,
)
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import register
from conformance.operations.ends import derivative_at

# Beyond it, a sum of a few derivatives may overflow; below, they are no normal numbers.
LARGEST, SMALLEST = sys.float_info.max / 64, sys.float_info.min * 64
ALONE = {
    composition: register(derivative_alone(composition))
    for composition in (
        *(REVERSE, REVERSE_OVER_REVERSE, REVERSE_THREE_TIMES),
        *(FORWARD, FORWARD_OVER_FORWARD, FORWARD_THREE_TIMES),
    )
}


def agrees_at_the_end(subject: OperationSubject, composition: Composition) -> Difference | None:
    """Whether the derivative is the true one, relatively; where that is too small for it, whether it is small."""
    true = derivative_at(subject.sample, composition.order)
    # By `not`, so that NaN, too, is nothing to compare with.
    if not abs(true) <= LARGEST:
        return None
    # All elements are equal, and the cotangents are 1.
    got = subject.number(subject.ask(ALONE[composition])[0]) / subject.point[0].size
    what = f"derivative of order {composition.order}"
    if abs(true) < SMALLEST:
        return None if abs(got) <= 2 * SMALLEST else compared(got, 0.0, what)
    return compared(got, true, what)
