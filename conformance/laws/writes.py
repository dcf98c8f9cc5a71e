"""Writes to the inputs of an operation between the operation and its backward pass."""

from __future__ import annotations

from typing import Any

from conformance.laws.comparison import Difference, compared_each, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient
from conformance.protocol.types import Arrays


def detects_writes(subject: OperationSubject) -> Difference | None:
    """Whether after a write to an input the gradient is that of the input before, or an error is raised."""
    return first_of(_after_a_write(subject, number) for number in range(len(subject.point)))


def _after_a_write(subject: OperationSubject, number: int) -> Difference | None:
    got = _gradient(subject, number)
    if got is None:
        return None
    what = f"gradient after a write to input {number}"
    # A zero for what the operation does not depend on, as the gradient has.
    return compared_each(subject.numbers(got), subject.ask_numbers(gradient), what, error=subject.rounding)


def _gradient(subject: OperationSubject, number: int) -> Arrays | None:
    """The gradient by copies of the inputs, one of which is written before the backward pass; None for an error."""
    ad: Any = subject.ad
    leaves = [ad.leaf(x.tolist(), subject.dtype) for x in subject.point]
    # Copies, as a leaf that requires grad may not be written in place.
    copies = [ad.clone(leaf) for leaf in leaves]
    output = subject.scalar(*copies)
    ad.add_(copies[number], 1.0)
    try:
        result: Arrays = ad.grad_of([output], leaves)
    # Any error: of a view that was written, engines have others than of a saved value.
    except Exception:
        return None
    return result
