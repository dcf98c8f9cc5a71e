"""Reductions of an array, or of some of its axes."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.row import Argument, array, family, row

ONE_AXIS: tuple[dict[str, Any], ...] = ({}, {"axis": 0}, {"axis": -1, "keepdims": True})
AXES = (*ONE_AXIS, {"axis": (0, 1)})
DEVIATIONS: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 0},
    {"axis": -1, "keepdims": True},
    {"ddof": 0},
    {"axis": (0, 1), "ddof": 0},
)
LEVELS = (
    {"q": 0.3},
    {"q": 0.3, "axis": 0},
    {"q": [0.2, 0.9], "axis": -1, "keepdims": True},
    {"q": 0.5, "axis": 0, "method": "lower"},
    {"q": 0.3, "axis": 0, "method": "higher"},
    {"q": 0.3, "axis": 0, "method": "midpoint"},
    {"q": 0.3, "axis": 0, "method": "nearest"},
)
# Two equal elements, and nothing else that is equal: with more ties a gradient need not lie between both sides.
HIGHEST_TWICE = [[0.5, 2.0, -1.0], [-1.5, 2.0, 1.0]]
LOWEST_TWICE = [[-0.5, -2.0, 1.0], [1.5, -2.0, -1.0]]
MIDDLE_TWICE = [[0.5, 2.0, -1.0], [0.5, 3.0, -2.0], [1.0, -0.5, 2.5]]
TIES = {"tie": HIGHEST_TWICE, "all equal": 1.5}
# Of each column, or of all, the extreme is a zero, an integer, negative, or repeated beside.
HIGHEST_SPECIAL = [[0.0, -0.5, 1.0], [-1.0, -3.0, -0.5]]
LOWEST_SPECIAL = [[0.0, 0.5, -1.0], [1.0, 3.0, 0.5]]
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
    row("sum(x, axis=None, keepdims=False)", "Sum over some axes, or all.", array(2, 3), options=AXES, complex=True),
    row("mean(x, axis=None, keepdims=False)", "Mean over some axes, or all.", array(2, 3), options=AXES, complex=True),
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
        },
        complex=True,
    ),
    row(
        "prod_along_axis(x, axis)",
        "Products along an axis.",
        array(3, 3),
        options=({"axis": 1}, {"axis": 0}, {"axis": -1}),
        smooth={"one zero and two": [[0.0, 2.0, -1.5], [0.0, 0.0, 3.0], [0.5, 1.0, 2.0]], "zeros": 0.0},
        complex=True,
    ),
    row("nansum(x, axis=None, keepdims=False)", "Sum of what is no NaN.", missing(2, 3), options=AXES),
    row(
        "nanprod(x, axis=None, keepdims=False)",
        "Product of what is no NaN.",
        missing(2, 3),
        options=ONE_AXIS,
        smooth={"zero": [[1.0, 0.0, 2.0], [0.5, -1.0, 3.0]]},
    ),
    row("nanmean(x, axis=None, keepdims=False)", "Mean of what is no NaN.", missing(2, 3), options=AXES),
    row(
        "average(x, weights, axis=None)",
        "Mean with weights.",
        array(2, 3),
        array(2, 3, low=0.0),
        options=({}, {"axis": 0}, {"axis": -1}),
        smooth={"zero weights": ([[1.0, -2.0, 0.5], [3.0, 1.0, 2.0]], [[0.0, 1.0, 2.0], [1.0, 0.0, 0.5]])},
    ),
    row("count_nonzero(x)", "Number of elements that are not zero."),
    # Variances.
    row(
        "std(x, axis=None, keepdims=False, ddof=1)",
        "Standard deviation, with n - ddof.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"special value": SPECIAL},
        kinks={"constant": 1.5},
        complex=True,
    ),
    row(
        "var(x, axis=None, keepdims=False, ddof=1)",
        "Variance, with n - ddof.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"constant": 1.5, "special value": SPECIAL},
        complex=True,
    ),
    row(
        "std_mean(x, axis=None, keepdims=False, ddof=1)",
        "A pair: standard deviation, and mean.",
        array(3, 4),
        options=DEVIATIONS,
        kinks={"constant": 1.5},
    ),
    row(
        "var_mean(x, axis=None, keepdims=False, ddof=1)",
        "A pair: variance, and mean.",
        array(3, 4),
        options=DEVIATIONS,
        smooth={"constant": 1.5},
    ),
    row(
        "nanstd(x, axis=None, ddof=0)",
        "Deviation of what is no NaN.",
        missing(3, 4),
        options=({}, {"axis": 0}, {"axis": -1}),
    ),
    row(
        "nanvar(x, axis=None, ddof=0)",
        "Variance of what is no NaN.",
        missing(3, 4),
        options=({}, {"axis": 0}, {"ddof": 1}, {"axis": -1}),
        smooth={"constant": 1.5},
    ),
    row(
        "cov(x, ddof=1)",
        "Covariances of the rows.",
        array(3, 4),
        options=({}, {"ddof": 0}),
        smooth={"constant": 1.5},
        complex=True,
    ),
    row(
        "corrcoef(x)",
        "Correlations of the rows.",
        array(2, 4),
        smooth={"proportional rows": [[1.0, 2.0, 4.0, -1.0], [2.0, 4.0, 8.0, -2.0]]},
    ),
    # Extremes.
    row("max(x)", "Maximum of all elements.", array(2, 3), smooth={"integer": HIGHEST_SPECIAL}, kinks=TIES),
    row(
        "min(x)",
        "Minimum of all elements.",
        array(2, 3),
        smooth={"integer": LOWEST_SPECIAL, "zero": [[0.0, 0.5, 1.0], [1.0, 3.0, 0.5]]},
        kinks={"tie": LOWEST_TWICE, "all equal": 1.5},
    ),
    row(
        "amax(x, axis, keepdims=False)",
        "Maxima over some axes.",
        array(2, 3),
        options=({"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}),
        smooth={"special value": HIGHEST_SPECIAL},
        kinks={"tie": HIGHEST_TWICE},
    ),
    row(
        "amin(x, axis, keepdims=False)",
        "Minima over some axes.",
        array(2, 3),
        options=({"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}),
        smooth={"special value": LOWEST_SPECIAL},
        kinks={"tie": LOWEST_TWICE},
    ),
    row(
        "aminmax(x, axis=None, keepdims=False)",
        "A pair: minimum and maximum along an axis, or of all elements.",
        array(2, 3),
        options=ONE_AXIS,
        kinks={"tie": HIGHEST_TWICE},
    ),
    row(
        "ptp(x, axis=None, keepdims=False)",
        "Maximum minus minimum.",
        array(2, 3),
        options=AXES,
        kinks={"tie": HIGHEST_TWICE, "all equal": 1.5},
    ),
    row(
        "nanmax(x, axis=None, keepdims=False)",
        "Maximum of what is no NaN.",
        missing(2, 3),
        options=AXES,
        kinks={"tie": HIGHEST_TWICE},
    ),
    row(
        "nanmin(x, axis=None, keepdims=False)",
        "Minimum of what is no NaN.",
        missing(2, 3),
        options=AXES,
        kinks={"tie": LOWEST_TWICE},
    ),
    # Order statistics. Libraries differ in the median of an even number of elements.
    row(
        "median(x, axis=None, keepdims=False)",
        "Median along an axis, or of all elements.",
        array(3, 3),
        options=ONE_AXIS,
        kinks={"tie": MIDDLE_TWICE},
    ),
    row(
        "nanmedian(x, axis=None, keepdims=False)",
        "Median of what is no NaN.",
        missing(2, 3),
        options=ONE_AXIS,
        kinks={"tie": [[0.0, 0.5, -2.0], [0.5, 3.0, -1.0]]},
    ),
    row(
        'quantile(x, q, axis=None, keepdims=False, method="linear")',
        "Quantile of level q; `method` says what is between elements.",
        array(4, 3),
        options=LEVELS,
        kinks={"tie": [[0.5, 2.0, -1.0], [0.1, 3.0, -2.0], [1.0, -0.5, 2.5], [-0.5, -1.5, 0.3]]},
    ),
    row(
        'nanquantile(x, q, axis=None, keepdims=False, method="linear")',
        "Quantile of what is no NaN.",
        missing(4, 3),
        options=LEVELS,
    ),
    row(
        "quantile_of_levels(x, q)",
        "Quantiles of a vector, also as a function of the levels.",
        array(5),
        array(2, draw=lambda random, shape: random.permutation([0.1, 0.6]) + 0.05 * random.random(shape)),
        kinks={"level of an element": ([0.5, 2.0, -1.0, 0.1, 3.0], [0.25, 0.6])},
    ),
    row(
        "percentile(x, q, axis=None, keepdims=False)",
        "Percentile of level q, from 0 to 100.",
        array(4, 3),
        options=({"q": 30.0}, {"q": 30.0, "axis": 0}, {"q": 80.0, "axis": -1, "keepdims": True}),
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
        },
        complex=True,
    ),
    row("logsumexp_of_masked(x)", "The same where an element is minus infinity.", masked(2, 3)),
    row(
        "weighted_logsumexp(x, weights)",
        "log(sum(weights exp(x))) of a vector.",
        array(3),
        array(3, low=0.0),
        smooth={"zero weight": ([0.5, -1.0, 2.0], [0.0, 1.0, 0.5])},
    ),
    row(
        "logmeanexp(x, axis=None, keepdims=False)",
        "log(mean(exp(x))) over some axes, or all.",
        array(2, 3),
        options=AXES,
        smooth={"all equal": 1.5, "spread": [[1000.0, 0.0, -1000.0], [998.0, 1.0, 2.0]]},
    ),
)
