"""Reductions of an array, or of some of its axes."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families import truths
from conformance.operations.reasons import LINEAR
from conformance.operations.row import INFINITY, Argument, array, family, row, under

ONE_AXIS: tuple[dict[str, Any], ...] = ({}, {"axis": 0}, {"axis": -1, "keepdims": True})
AXES = (*ONE_AXIS, {"axis": (0, 1)})
DEVIATIONS: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 0},
    {"axis": -1, "keepdims": True},
    {"ddof": 0},
    {"axis": (0, 1), "ddof": 0},
    {"axis": 1, "ddof": 0},
)
CONSTANT_ROW = [[1.5, 1.5, 1.5, 1.5], [0.5, -1.0, 2.0, 0.0], [1.0, 0.0, -2.0, 0.7]]
TWO_VALUES = [[0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]]
SPECIAL = [[0.0, 1.0, 2.0, -1.0], [0.5, 0.5, -0.5, 3.0], [1.5, 0.0, -2.0, 0.7]]


def missing(*shape: int) -> Argument:
    """An array whose first element a program makes a NaN. Its derivative is zero where a NaN does not count."""
    return array(*shape, enters=lambda ad, x: _with_first(ad, x, numpy.nan))


def masked(*shape: int) -> Argument:
    """An array whose first element a program makes minus infinity, as masks do. Its derivative is zero."""
    return array(*shape, enters=lambda ad, x: _with_first(ad, x, -numpy.inf))


def _with_first(ad: Any, x: Any, added: float) -> Any:
    numbers = numpy.zeros(tuple(x.shape))
    numbers.flat[0] = added
    return x + ad.array(numbers.tolist(), ad.dtype_of(x))


REDUCTIONS = family(
    "Reductions",
    # Sums and products.
    row(
        "sum(x, axis=None, keepdims=False)",
        "Sum over some axes, or all.",
        array(2, 3),
        options=AXES,
        complex=True,
        ordinary=LINEAR,
    ),
    row(
        "mean(x, axis=None, keepdims=False)",
        "Mean over some axes, or all.",
        array(2, 3),
        options=AXES,
        complex=True,
        ordinary=LINEAR,
    ),
    row(
        "prod(x, axis=None, keepdims=False)",
        "Product along an axis, or of all elements.",
        array(2, 3),
        options=ONE_AXIS,
        smooth={
            "one zero": [[0.0, 2.0, -1.5], [0.5, 3.0, 1.0]],
            "two zeros": [[0.0, 2.0, -1.5], [0.5, 0.0, 1.0]],
            "three zeros": [[0.0, 2.0, 0.0], [0.5, 0.0, 1.0]],
            "ones": 1.0,
            "zeros": 0.0,
            "tail of a factor": [[1e-200, 1e150, 0.5], [2.0, -3.0, 1e20]],
        },
        complex=True,
        degree=[6, 2, 3],
        truth=truths.prod,
    ),
    row(
        "prod_along_axis(x, axis)",
        "Products along an axis.",
        array(3, 3),
        options=({"axis": 1}, {"axis": 0}, {"axis": -1}),
        smooth={
            "one zero and two": [[0.0, 2.0, -1.5], [0.0, 0.0, 3.0], [0.5, 1.0, 2.0]],
            "zeros": 0.0,
            "tail of a factor": [[1e-200, 1e150, 0.5], [2.0, -3.0, 1e20], [1e-100, 1e-150, 1e200]],
        },
        complex=True,
        degree=3,
        truth=truths.prod,
    ),
    row("nansum(x, axis=None, keepdims=False)", "Sum of what is no NaN.", missing(2, 3), options=AXES, ordinary=LINEAR),
    row(
        "nanprod(x, axis=None, keepdims=False)",
        "Product of what is no NaN.",
        missing(2, 3),
        options=ONE_AXIS,
        smooth={"zero": [[1.0, 0.0, 2.0], [0.5, -1.0, 3.0]]},
        degree=[5, None, None],
    ),
    row(
        "nanmean(x, axis=None, keepdims=False)", "Mean of what is no NaN.", missing(2, 3), options=AXES, ordinary=LINEAR
    ),
    row(
        "average(x, weights, axis=None)",
        "Mean with weights.",
        array(2, 3),
        array(2, 3, low=0.0),
        options=({}, {"axis": 0}, {"axis": -1}),
        smooth={"zero weights": ([[1.0, -2.0, 0.5], [3.0, 1.0, 2.0]], [[0.0, 1.0, 2.0], [1.0, 0.0, 0.5]])},
        degree=1,
        truth=truths.average,
    ),
    row("count_nonzero(x)", "Number of elements that are not zero."),
    # Variances.
    row(
        "std(x, axis=None, keepdims=False, ddof=1)",
        "Standard deviation, with n - ddof.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"special value": SPECIAL, "two values": TWO_VALUES},
        kinks={"constant": 1.5, "constant row": under(2, CONSTANT_ROW), "constant row of all": under(5, CONSTANT_ROW)},
        complex=True,
        degree=1,
        truth=truths.std,
    ),
    row(
        "var(x, axis=None, keepdims=False, ddof=1)",
        "Variance, with n - ddof.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={
            "constant": 1.5,
            "special value": SPECIAL,
            "constant row": under(2, CONSTANT_ROW),
            "large mean": [[1e8, 100000001.0, 100000003.0, 1e8], [0.5, -1.0, 2.0, 0.0], [1.0, 0.0, -2.0, 0.7]],
        },
        complex=True,
        degree=2,
        truth=truths.var,
    ),
    row(
        "std_mean(x, axis=None, keepdims=False, ddof=1)",
        "A pair: standard deviation, and mean.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"two values": TWO_VALUES},
        kinks={"constant": 1.5, "constant row": under(2, CONSTANT_ROW), "constant row of all": under(5, CONSTANT_ROW)},
        degree=1,
        truth=truths.std_mean,
    ),
    row(
        "var_mean(x, axis=None, keepdims=False, ddof=1)",
        "A pair: variance, and mean.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"constant": 1.5, "constant row": under(2, CONSTANT_ROW), "two values": TWO_VALUES},
        degree=(2, 1),
        truth=truths.var_mean,
    ),
    row(
        "std_of_one_element(x)",
        "x, to which the deviation of each row of one element is added, which is zero.",
        array(3, 1),
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "nanstd(x, axis=None, ddof=0)",
        "Deviation of what is no NaN.",
        missing(3, 4),
        options=({}, {"axis": 0}, {"axis": -1}),
        smooth={"two values": TWO_VALUES},
        kinks={"constant": 1.5, "constant row": under(2, CONSTANT_ROW)},
        degree=1,
    ),
    row(
        "nanvar(x, axis=None, ddof=0)",
        "Variance of what is no NaN.",
        missing(3, 4),
        options=({}, {"axis": 0}, {"ddof": 1}, {"axis": -1}),
        smooth={"constant": 1.5, "constant row": under(3, CONSTANT_ROW)},
        degree=2,
    ),
    row(
        "cov(x, ddof=1)",
        "Covariances of the rows.",
        array(3, 4),
        options=({}, {"ddof": 0}),
        smooth={"constant": 1.5},
        complex=True,
        degree=2,
        truth=truths.cov,
    ),
    row(
        "corrcoef(x)",
        "Correlations of the rows.",
        array(2, 4),
        smooth={"proportional rows": [[1.0, 2.0, 4.0, -1.0], [2.0, 4.0, 8.0, -2.0]]},
        degree=0,
        truth=truths.corrcoef,
    ),
    # Sums of exponentials.
    row(
        "logsumexp(x, axis=None, keepdims=False)",
        "log(sum(exp(x))) over some axes, or all.",
        array(2, 3),
        options=AXES,
        smooth={
            "all equal": 1.5,
            "integer": [[0.0, 1.0, 2.0], [-1.0, 0.5, 1.5]],
            "large": [[1000.0, 1001.0, 999.0], [998.0, 1000.5, 0.0]],
            "spread": [[1000.0, 0.0, -1000.0], [998.0, 1.0, 2.0]],
            "masked": [[-INFINITY, 0.5, 1.0], [0.3, -INFINITY, -INFINITY]],
            "tail": [[0.0, 0.3, -40.0], [-300.0, -1.0, -650.0]],
        },
        complex=True,
        truth=truths.logsumexp,
    ),
    row(
        "logsumexp_of_masked(x)",
        "The same where an element is minus infinity.",
        masked(2, 3),
        smooth={"all equal": 1.5, "large": [[0.0, 1000.0, 999.0], [998.0, 1000.5, 0.0]]},
    ),
    row(
        "weighted_logsumexp(x, weights)",
        "log(sum(weights exp(x))) of a vector.",
        array(3),
        array(3, low=0.0),
        smooth={"zero weight": ([0.5, -1.0, 2.0], [0.0, 1.0, 0.5])},
        truth=truths.weighted_logsumexp,
    ),
    row(
        "logmeanexp(x, axis=None, keepdims=False)",
        "log(mean(exp(x))) over some axes, or all.",
        array(2, 3),
        options=AXES,
        smooth={
            "all equal": 1.5,
            "spread": [[1000.0, 0.0, -1000.0], [998.0, 1.0, 2.0]],
            "masked": [[-INFINITY, 0.5, 1.0], [0.3, -INFINITY, -INFINITY]],
            "tail": [[0.0, 0.3, -40.0], [-300.0, -1.0, -650.0]],
        },
        truth=truths.logmeanexp,
    ),
)
