"""Activations that are linear or quadratic between some joints."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.row import INFINITY, Argument, Draw, array, family, number, row

HALF = 0.5
RRELU_SLOPE = (1 / 8 + 1 / 3) / 2


def _around(*centres: float) -> Draw:
    """Numbers close to one of these: far from the jumps of a function."""

    def draw(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
        return random.choice(centres, shape, replace=False) + random.uniform(-0.2, 0.2, shape)

    return draw


PIECEWISE_ACTIVATIONS = family(
    "Activations",
    row(
        "relu(x)",
        "max(x, 0).",
        number(),
        truth=lambda mp, x: max(x, 0),
        smooth={"one": 1.0, "far": 1e10, "minus infinity": -INFINITY},
        kinks={"zero": 0.0},
        degree=1,
    ),
    row(
        "relu6(x)",
        "min(max(x, 0), 6).",
        number(),
        truth=lambda mp, x: min(max(x, 0), 6),
        smooth={"above": 8.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        kinks={"zero": 0.0, "upper bound": 6.0},
    ),
    row(
        "leaky_relu(x, negative_slope=0.01)",
        "x above 0, negative_slope * x below.",
        number(),
        options=[{}, {"negative_slope": 0.3}, {"negative_slope": 0.0}, {"negative_slope": -0.5}],
        kinks={"zero": 0.0},
        smooth={"far": 1e10, "far below": -1e10},
        degree=1,
    ),
    row(
        "prelu(x, weight)",
        "x above 0, weight * x below; one weight, or one for each column.",
        array(2, 3),
        array(3),
        smooth={"weight zero": ([[0.5, -0.5, 1.0], [-1.0, 2.0, -0.2]], 0.0), "weight one": ([[1.0, -1.0, 2.0]], 1.0)},
        kinks={"zero": ([[0.0, -0.5, 1.0], [-1.0, 2.0, 0.7]], 0.25)},
    ),
    row(
        "rrelu(x, training=False)",
        "x above 0, a slope * x below: in training random between 1 / 8 and 1 / 3, else their mean 11 / 48.",
        number(),
        options=[{"training": False}],
        truth=lambda mp, x: x if x > 0 else x * RRELU_SLOPE,
        smooth={"below": -1.0},
        kinks={"zero": 0.0},
        degree=1,
    ),
    row(
        "threshold(x, threshold, value)",
        "x above the threshold, that value below.",
        Argument(draw=_around(-1.5, -0.5, 0.0, 1.0, 1.5)),
        options=[{"threshold": 0.5, "value": -1.0}, {"threshold": -1.0, "value": -1.0}],
        smooth={"above": 1.5, "far below": -1e10, "minus infinity": -INFINITY},
    ),
    row(
        "hardtanh(x)",
        "x limited to [-1, 1].",
        number(),
        truth=lambda mp, x: min(max(x, -1), 1),
        smooth={"above": 3.0, "below": -3.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        kinks={"lower bound": -1.0, "upper bound": 1.0},
    ),
    row(
        "hardsigmoid(x)",
        "relu6(x + 3) / 6.",
        number(),
        truth=lambda mp, x: min(max(x + 3, 0), 6) / 6,
        smooth={"zero": 0.0, "above": 5.0, "below": -5.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        kinks={"lower bound": -3.0, "upper bound": 3.0},
    ),
    row(
        "hardswish(x)",
        "x * relu6(x + 3) / 6.",
        number(),
        truth=lambda mp, x: x * min(max(x + 3, 0), 6) / 6,
        smooth={"zero": 0.0, "above": 5.0, "below": -5.0, "far": 1e10, "far below": -1e10},
        kinks={"lower joint": -3.0, "upper joint": 3.0},
    ),
    row(
        "softshrink(x, lambd=0.5)",
        "x moved towards 0 by lambd, and 0 within [-lambd, lambd].",
        number(),
        options=[{}, {"lambd": 0.0}],
        smooth={"zero": 0.0, "far": 1e10},
        kinks={"upper joint": HALF, "lower joint": -HALF},
        degree=[None, 1],
    ),
    row(
        "hardshrink(x, lambd=0.5)",
        "x, and 0 within [-lambd, lambd].",
        Argument(draw=_around(-2.0, -1.0, 0.0, 1.0, 2.0)),
        options=[{}, {"lambd": 0.0}],
        smooth={"zero": 0.0, "outside": 1.0, "far": 1e10},
        degree=[None, 1],
    ),
    row(
        "hardshrink_by_zero(x, lambd=0.0)",
        "hardshrink with lambd = 0: x itself.",
        number(),
        options=[{"lambd": 0.0}],
        truth=lambda mp, x: x,
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "sparse_plus(x)",
        "0 below -1, (x + 1)^2 / 4 up to 1, x above.",
        number(),
        truth=lambda mp, x: x if x > 1 else max(x + 1, 0) ** 2 / 4,
        smooth={"zero": 0.0, "above": 3.0, "below": -3.0, "square overflows": 1e200, "far below": -1e200},
        kinks={"lower joint": -1.0, "upper joint": 1.0},
    ),
    row(
        "sparse_sigmoid(x)",
        "0 below -1, (x + 1) / 2 up to 1, 1 above.",
        number(),
        truth=lambda mp, x: min(max(x + 1, 0), 2) / 2,
        smooth={"zero": 0.0, "above": 3.0, "below": -3.0, "infinity": INFINITY, "minus infinity": -INFINITY},
        kinks={"lower bound": -1.0, "upper bound": 1.0},
    ),
)
