"""Arrays without elements: each mode, and each composition of two, has a derivative, and it is empty or zero."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, compared_each
from conformance.laws.compositions import (
    FORWARD,
    FORWARD_OVER_FORWARD,
    FORWARD_OVER_REVERSE,
    REVERSE_OVER_FORWARD,
    REVERSE_OVER_REVERSE,
    Composition,
)
from conformance.laws.layouts import at_other_shapes
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, register
from conformance.laws.subject import NumPyArray
from conformance.protocol.types import Array, Arrays

# The compositions of order two that a tape has, too: its dual levels do not nest.
ON_A_TAPE = (REVERSE_OVER_REVERSE, FORWARD_OVER_REVERSE, REVERSE_OVER_FORWARD)


def _nothing(at: Any) -> list[NumPyArray]:
    return [numpy.zeros((0,)) for _ in at.point]


def _is_elementwise(at: Any) -> bool:
    return bool(at.operation.elementwise)


OF_NOTHING = at_other_shapes("of no elements", _nothing, _is_elementwise)


def is_empty_for_empty(subject: OperationSubject) -> Difference | None:
    """Whether arrays without elements have a gradient, without elements."""
    return compared_each(subject.ask_numbers(OF_NOTHING), _nothing(subject), "gradient of an empty array")


def is_zero_for_empty(subject: OperationSubject, *compositions: Composition) -> Difference | None:
    """Whether derivatives of the sum of no elements, along directions without elements, are zero."""
    for composition in compositions:
        (got,) = subject.ask_numbers(DERIVATIVES[composition])
        if difference := compared(got, 0.0, f"derivative of empty arrays, {composition}"):
            return difference
    return None


def _of_empty(composition: Composition) -> Quantity:
    def compute(at: Any, *xs: Array) -> Arrays:
        # The directions of a joint function have elements.
        empty = at.bound(at.ad, xs, xs, dict.fromkeys((0, 1), xs), ())
        return [composition.program(empty, 1, cubic=composition.order > 1)(*xs)]

    def concerns(at: Any) -> bool:
        return _is_elementwise(at) and at.operation.order >= composition.order

    return Quantity(f"{composition}, of empty arrays", compute, _nothing, concerns)


DERIVATIVES = {
    composition: register(_of_empty(composition)) for composition in (FORWARD, *ON_A_TAPE, FORWARD_OVER_FORWARD)
}
