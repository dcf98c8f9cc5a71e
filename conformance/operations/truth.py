"""Derivatives of functions of numbers in high precision, by mpmath."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from conformance.operations.row import Operation

__all__ = ["derivative"]

# Digits in which mpmath counts: numerical differentiation of third order loses about three quarters of them.
DIGITS = 60


def derivative(operation: Operation, point: Sequence[float], direction: Sequence[float], order: int) -> float:
    """The derivative of that order of a function of numbers at a point along a direction, rounded to a double."""
    import mpmath  # only where a true value is asked for: it is slow to import

    function = attrgetter(operation.truth)(mpmath) if isinstance(operation.truth, str) else operation.truth

    def along(t: Any) -> Any:
        numbers = [x + t * v for x, v in zip(point, direction, strict=True)]
        return function(*numbers) if isinstance(operation.truth, str) else function(mpmath, *numbers)

    with mpmath.workdps(DIGITS):
        return float(mpmath.diff(along, 0, order))
