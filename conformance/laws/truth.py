"""Derivatives of functions of numbers in high precision, by mpmath."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from conformance.operations.row import Operation

# Digits in which mpmath counts at numbers near 1: numerical differentiation of third order loses three quarters.
DIGITS = 60


def derivative(
    operation: Operation, point: Sequence[float], direction: Sequence[float], order: int, digits: int = DIGITS
) -> float:
    """The derivative of that order of a function of numbers at a point along a direction, rounded to a double.

    With fewer digits it is quicker, and may be off by much where the function is the difference of large numbers.
    """
    import mpmath  # only where a true value is asked for: it is slow to import

    function = function_of(operation, mpmath)

    def along(t: Any) -> Any:
        return function(*(x + t * v for x, v in zip(point, direction, strict=True)))

    # Far out, the step of the differences must still be seen beside the number.
    magnitude = max(abs(math.log10(abs(x))) for x in (1.0, *point) if x)
    with mpmath.workdps(digits + 4 * math.ceil(magnitude)):
        return float(mpmath.diff(along, 0, order))


def complex_derivative(operation: Operation, point: Sequence[complex], argument: int) -> complex:
    """The derivative of a function of complex numbers by a single argument, along the real direction."""
    import mpmath

    function = function_of(operation, mpmath)

    def along(t: Any) -> Any:
        return function(*(z + t if at == argument else z for at, z in enumerate(map(mpmath.mpc, point))))

    with mpmath.workdps(DIGITS):
        return complex(mpmath.diff(along, 0))


def function_of(operation: Operation, mpmath: Any) -> Callable[..., Any]:
    """The true function of an operation, of mpmath's numbers."""
    truth = operation.truth
    assert truth is not None, f"{operation.name} has no true value"
    function: Callable[..., Any] = attrgetter(truth)(mpmath) if isinstance(truth, str) else partial(truth, mpmath)
    return function
