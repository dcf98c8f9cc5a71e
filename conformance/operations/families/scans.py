"""Cumulative operations, differences and integrals along an axis."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families import truths
from conformance.operations.families.reductions import masked, missing
from conformance.operations.reasons import LINEAR
from conformance.operations.row import Argument, array, family, row

AXES: tuple[dict[str, Any], ...] = ({}, {"axis": -1})
# Columns with no zero factor, one and two; first, in the middle and last.
ZEROS = {
    "one zero and two": [[2.0, 0.0, 3.0], [1.5, 2.0, 0.0], [-1.0, 0.0, 2.0], [0.5, 1.0, 1.5]],
    "zeros first and last": [[0.0, 2.0, 0.0], [1.5, 3.0, 2.0], [-1.0, 0.5, 2.0], [0.5, 0.0, 0.0]],
    "zeros in sequence": [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [3.0, 1.0, 0.0]],
    "ones": 1.0,
}
HIGHEST_TWICE = {"tie": [[0.5, 1.0, -1.0], [0.7, 2.0, 1.5], [-1.0, 2.0, 0.3]]}
LOWEST_TWICE = {"tie": [[-0.5, -1.0, 1.0], [-0.7, -2.0, -1.5], [1.0, -2.0, -0.3]]}
EXPONENTS = {"all equal": 1.5, "spread": [[1000.0, 0.0, -5.0], [0.0, 1000.0, 5.0], [-1000.0, 1.0, 0.0]]}


def increasing(count: int) -> Argument:
    """A vector of increasing numbers."""
    return array(count, draw=lambda random, shape: numpy.cumsum(random.uniform(0.5, 1.5, shape)))


def _winding(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Angles of which some follow each other by more than half a turn."""
    return numpy.array([0.2, 1.0, 5.5, 0.7, 3.0]) + random.uniform(-0.1, 0.1, shape)


SCANS = family(
    "Scans",
    row("cumsum(x, axis=0)", "Cumulative sum.", array(3, 3), options=AXES, complex=True),
    row("reverse_cumsum(x, axis=0)", "Cumulative sum from the end.", array(3, 3), options=AXES, complex=True),
    row(
        "cumprod(x, axis=0)",
        "Cumulative product.",
        array(4, 3),
        options=AXES,
        smooth={
            **ZEROS,
            "tail of a factor": [[1e-200, 2.0, 1e50], [1e150, 1e-100, 0.5], [0.5, 1e-50, 3.0], [3.0, 1e100, 1e-30]],
        },
        complex=True,
        truth=truths.cumprod,
    ),
    row(
        "reverse_cumprod(x, axis=0)",
        "Cumulative product from the end.",
        array(4, 3),
        options=AXES,
        smooth=ZEROS,
        complex=True,
        truth=truths.reversed_along(truths.cumprod),
    ),
    row("cummax(x, axis=0)", "Maximum so far.", array(3, 3), options=AXES, kinks=HIGHEST_TWICE, degree=1),
    row("cummin(x, axis=0)", "Minimum so far.", array(3, 3), options=AXES, kinks=LOWEST_TWICE, degree=1),
    row("reverse_cummax(x, axis=0)", "Maximum from here on.", array(3, 3), options=AXES, kinks=HIGHEST_TWICE, degree=1),
    row("reverse_cummin(x, axis=0)", "Minimum from here on.", array(3, 3), options=AXES, kinks=LOWEST_TWICE, degree=1),
    row(
        "logcumsumexp(x, axis=0)",
        "Logarithm of the cumulative sum of exp(x).",
        array(3, 3),
        options=AXES,
        smooth={**EXPONENTS, "tail": [[0.0, 0.3, -40.0], [-300.0, -1.0, 0.5], [0.5, -650.0, 0.0]]},
        complex=True,
        truth=truths.logcumsumexp,
    ),
    row(
        "logcumsumexp_of_masked(x)",
        "The same where an element is minus infinity.",
        masked(3, 3),
        observed=lambda ad, y: y[1:],
        smooth={"all equal": 1.5, "large": [[0.0, 1000.0, 0.0], [1000.0, 0.0, 1.0], [-1000.0, 1.0, 2.0]]},
    ),
    row(
        "reverse_logcumsumexp(x, axis=0)",
        "Logarithm of the cumulative sum of exp(x) from the end.",
        array(3, 3),
        options=AXES,
        smooth={**EXPONENTS, "tail": [[0.5, -300.0, -40.0], [-300.0, -1.0, 0.5], [0.0, 0.5, 0.0]]},
        truth=truths.reversed_along(truths.logcumsumexp),
    ),
    row(
        "cumulative_sum(x, axis=0, include_initial=False)",
        "Cumulative sum, of the array API; `include_initial` puts a zero before it.",
        array(3, 3),
        options=({"axis": 0}, {"axis": -1, "include_initial": True}),
    ),
    row(
        "cumulative_prod(x, axis=0, include_initial=False)",
        "Cumulative product, of the array API; `include_initial` puts a one before it.",
        array(4, 3),
        options=({"axis": 0}, {"axis": -1, "include_initial": True}),
        smooth=ZEROS,
        truth=truths.cumprod,
    ),
    row(
        "nancumsum(x, axis=0)",
        "Cumulative sum; a NaN counts as zero.",
        missing(3, 3),
        options=({"axis": 0}, {"axis": -1}),
    ),
    row(
        "nancumprod(x, axis=0)",
        "Cumulative product; a NaN counts as one.",
        missing(4, 3),
        options=({"axis": 0}, {"axis": -1}),
        smooth=ZEROS,
    ),
    # Differences.
    row(
        "diff(x, n=1, axis=-1)",
        "Differences of neighbours, n times.",
        array(4, 4),
        options=({}, {"n": 2}, {"axis": 0}, {"n": 3, "axis": 0}, {"n": 0}),
        complex=True,
    ),
    row(
        "diff_with_ends(x, before, after)",
        "Differences of a vector, longer by two parts.",
        array(3),
        array(2),
        array(1),
    ),
    row("ediff1d(x)", "Differences of all elements in order.", array(2, 3)),
    row(
        "gradient(x, spacing=1.0, axis=0)",
        "Second-order differences along an axis, one-sided at its ends.",
        array(4, 3),
        options=({}, {"spacing": 0.5}, {"axis": -1}, {"axis": 1, "spacing": 2.0}),
        complex=True,
    ),
    row(
        "gradient_at(x, coordinates)",
        "The same of a vector, at points that are not equidistant.",
        array(5),
        increasing(5),
        smooth={"equidistant": ([1.0, 3.0, -2.0, 0.5, 0.0], [0.0, 1.0, 2.0, 3.0, 4.0])},
        degree=0,
    ),
    row(
        "unwrap(x)",
        "Angles made continuous by whole turns.",
        array(5, draw=_winding),
        smooth={"equal": 1.0, "several turns": [0.0, 20.0, 0.1, -20.0, 0.2]},
    ),
    # Integrals.
    row(
        "trapezoid(y, dx=1.0, axis=-1)",
        "Integral by the trapezoidal rule.",
        array(3, 4),
        options=({}, {"dx": 0.5}, {"axis": 0}),
        complex=True,
    ),
    row(
        "trapezoid_at(y, x)",
        "The same of a vector, at points x.",
        array(4),
        array(4),
        smooth={"equal points": ([1.0, 2.0, -1.0, 0.5], [0.0, 1.0, 1.0, 2.0])},
        degree=2,
    ),
    row(
        "cumulative_trapezoid(y, dx=1.0, axis=-1)",
        "Cumulative integral by the trapezoidal rule.",
        array(3, 4),
        options=({}, {"dx": 0.5}, {"axis": 0}),
        complex=True,
    ),
    row(
        "cumulative_trapezoid_at(y, x)",
        "The same of a vector, at points x.",
        array(4),
        array(4),
        smooth={"equal points": ([1.0, 2.0, -1.0, 0.5], [0.0, 1.0, 1.0, 2.0])},
        degree=2,
    ),
    ordinary=LINEAR,
)
