"""Extremes, medians and quantiles of an array, or along some of its axes."""

from __future__ import annotations

from conformance.operations.families.reductions import AXES, ONE_AXIS, missing
from conformance.operations.row import INFINITY, array, family, row, under

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
# At level 0.3 of all elements but the first, and of all: between two that are equal.
QUANTILE_TWICE = [[3.0, 2.0, -1.0], [0.1, 3.5, -2.0], [1.0, -0.5, -0.5], [0.7, -1.5, 0.3]]
LOWEST_TWICE = [[-0.5, -2.0, 1.0], [1.5, -2.0, -1.0]]
MIDDLE_TWICE = [[0.5, 2.0, -1.0], [0.5, 3.0, -2.0], [1.0, -0.5, 2.5]]
TIES = {"tie": HIGHEST_TWICE, "all equal": 1.5}
BELOW_ALL = [[-INFINITY, -0.5, 1.0], [-1.0, -INFINITY, -0.5]]
ABOVE_ALL = [[INFINITY, 0.5, -1.0], [1.0, INFINITY, 0.5]]
# Of each column, or of all, the extreme is a zero, an integer, negative, or repeated beside.
HIGHEST_SPECIAL = [[0.0, -0.5, 1.0], [-1.0, -3.0, -0.5]]
LOWEST_SPECIAL = [[0.0, 0.5, -1.0], [1.0, 3.0, 0.5]]

ORDER_STATISTICS = family(
    "Reductions",
    # Extremes.
    row(
        "max(x)",
        "Maximum of all elements.",
        array(2, 3),
        smooth={"integer": HIGHEST_SPECIAL, "minus infinity beside": BELOW_ALL},
        kinks=TIES,
        degree=1,
    ),
    row(
        "min(x)",
        "Minimum of all elements.",
        array(2, 3),
        smooth={"integer": LOWEST_SPECIAL, "zero": [[0.0, 0.5, 1.0], [1.0, 3.0, 0.5]]},
        kinks={"tie": LOWEST_TWICE, "all equal": 1.5},
        degree=1,
    ),
    row(
        "amax(x, axis, keepdims=False)",
        "Maxima over some axes.",
        array(2, 3),
        options=({"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}),
        smooth={"special value": HIGHEST_SPECIAL, "minus infinity beside": BELOW_ALL},
        kinks={**TIES, "tie of three": under(1, [[1.0, 1.0, 1.0], [0.5, 2.0, 1.0]])},
        degree=1,
    ),
    row(
        "amin(x, axis, keepdims=False)",
        "Minima over some axes.",
        array(2, 3),
        options=({"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}),
        smooth={"special value": LOWEST_SPECIAL, "infinity beside": ABOVE_ALL},
        kinks={
            "tie": LOWEST_TWICE,
            "all equal": 1.5,
            "tie of three": under(1, [[1.0, 1.0, 1.0], [0.5, 2.0, 1.0]]),
        },
        degree=1,
    ),
    row(
        "aminmax(x, axis=None, keepdims=False)",
        "A pair: minimum and maximum along an axis, or of all elements.",
        array(2, 3),
        options=ONE_AXIS,
        kinks=TIES,
        degree=1,
    ),
    row(
        "ptp(x, axis=None, keepdims=False)",
        "Maximum minus minimum.",
        array(2, 3),
        options=AXES,
        kinks={"tie": HIGHEST_TWICE, "all equal": 1.5},
        degree=1,
    ),
    row(
        "nanmax(x, axis=None, keepdims=False)",
        "Maximum of what is no NaN.",
        missing(2, 3),
        options=AXES,
        kinks={"tie": HIGHEST_TWICE},
        degree=1,
    ),
    row(
        "nanmin(x, axis=None, keepdims=False)",
        "Minimum of what is no NaN.",
        missing(2, 3),
        options=AXES,
        kinks={"tie": LOWEST_TWICE},
        degree=1,
    ),
    # Order statistics. Libraries differ in the median of an even number of elements.
    row(
        "median(x, axis=None, keepdims=False)",
        "Median along an axis, or of all elements.",
        array(3, 3),
        options=ONE_AXIS,
        kinks={"tie": MIDDLE_TWICE},
        degree=1,
    ),
    row(
        "nanmedian(x, axis=None, keepdims=False)",
        "Median of what is no NaN.",
        missing(2, 3),
        options=ONE_AXIS,
        kinks={"tie": [[0.0, 0.5, -2.0], [0.5, 3.0, -1.0]]},
        degree=1,
    ),
    row(
        'quantile(x, q, axis=None, keepdims=False, method="linear")',
        "Quantile of level q; `method` says what is between elements.",
        array(4, 3),
        options=LEVELS,
        kinks={"tie": [[0.5, 2.0, -1.0], [0.1, 3.0, -2.0], [1.0, -0.5, 2.5], [-0.5, -1.5, 0.3]]},
        degree=1,
    ),
    row(
        'nanquantile(x, q, axis=None, keepdims=False, method="linear")',
        "Quantile of what is no NaN.",
        missing(4, 3),
        options=LEVELS,
        kinks={"tie": QUANTILE_TWICE},
        degree=1,
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
        kinks={"tie": QUANTILE_TWICE},
        degree=1,
    ),
)
