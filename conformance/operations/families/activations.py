"""Activations."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families.activations_of_vectors import OF_VECTORS
from conformance.operations.families.dropout import DROPOUT
from conformance.operations.row import Argument, Draw, array, family, number, row


def _around(*centres: float) -> Draw:
    """Numbers close to one of these: far from the jumps of a function."""

    def draw(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
        return random.choice(centres, shape, replace=False) + random.uniform(-0.2, 0.2, shape)

    return draw


HALF = 0.5
SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
RRELU_SLOPE = (1 / 8 + 1 / 3) / 2

ACTIVATIONS = family(
    "Activations",
    # Piecewise linear or quadratic.
    row("relu(x)", "max(x, 0).", number(), truth=lambda mp, x: max(x, 0), smooth={"one": 1.0}, kinks={"zero": 0.0}),
    row(
        "relu6(x)",
        "min(max(x, 0), 6).",
        number(),
        truth=lambda mp, x: min(max(x, 0), 6),
        smooth={"above": 8.0},
        kinks={"zero": 0.0, "upper bound": 6.0},
    ),
    row(
        "leaky_relu(x, negative_slope=0.01)",
        "x above 0, negative_slope * x below.",
        number(),
        options=[{}, {"negative_slope": 0.3}, {"negative_slope": 0.0}, {"negative_slope": -0.5}],
        kinks={"zero": 0.0},
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
    ),
    row(
        "threshold(x, threshold, value)",
        "x above the threshold, that value below.",
        Argument(draw=_around(-1.5, -0.5, 0.0, 1.0, 1.5)),
        options=[{"threshold": 0.5, "value": -1.0}, {"threshold": -1.0, "value": -1.0}],
    ),
    row(
        "hardtanh(x)",
        "x limited to [-1, 1].",
        number(),
        truth=lambda mp, x: min(max(x, -1), 1),
        smooth={"above": 3.0, "below": -3.0},
        kinks={"lower bound": -1.0, "upper bound": 1.0},
    ),
    row(
        "hardsigmoid(x)",
        "relu6(x + 3) / 6.",
        number(),
        truth=lambda mp, x: min(max(x + 3, 0), 6) / 6,
        smooth={"zero": 0.0, "above": 5.0, "below": -5.0},
        kinks={"lower bound": -3.0, "upper bound": 3.0},
    ),
    row(
        "hardswish(x)",
        "x * relu6(x + 3) / 6.",
        number(),
        truth=lambda mp, x: x * min(max(x + 3, 0), 6) / 6,
        smooth={"zero": 0.0, "above": 5.0, "below": -5.0},
        kinks={"lower joint": -3.0, "upper joint": 3.0},
    ),
    row(
        "softshrink(x, lambd=0.5)",
        "x moved towards 0 by lambd, and 0 within [-lambd, lambd].",
        number(),
        options=[{}, {"lambd": 0.0}],
        smooth={"zero": 0.0},
        kinks={"upper joint": HALF, "lower joint": -HALF},
    ),
    row(
        "hardshrink(x, lambd=0.5)",
        "x, and 0 within [-lambd, lambd].",
        Argument(draw=_around(-2.0, -1.0, 0.0, 1.0, 2.0)),
        options=[{}, {"lambd": 0.0}],
        smooth={"zero": 0.0, "outside": 1.0},
    ),
    row(
        "hardshrink_by_zero(x, lambd=0.0)",
        "hardshrink with lambd = 0: x itself.",
        number(),
        options=[{"lambd": 0.0}],
        truth=lambda mp, x: x,
        smooth={"zero": 0.0},
    ),
    row(
        "sparse_plus(x)",
        "0 below -1, (x + 1)^2 / 4 up to 1, x above.",
        number(),
        truth=lambda mp, x: x if x > 1 else max(x + 1, 0) ** 2 / 4,
        smooth={"zero": 0.0, "above": 3.0, "below": -3.0},
        kinks={"lower joint": -1.0, "upper joint": 1.0},
    ),
    row(
        "sparse_sigmoid(x)",
        "0 below -1, (x + 1) / 2 up to 1, 1 above.",
        number(),
        truth=lambda mp, x: min(max(x + 1, 0), 2) / 2,
        smooth={"zero": 0.0, "above": 3.0, "below": -3.0},
        kinks={"lower bound": -1.0, "upper bound": 1.0},
    ),
    # Exponential below zero: twice differentiable except at the joint.
    row(
        "elu(x, alpha=1.0)",
        "x above 0, alpha * (exp(x) - 1) below.",
        number(),
        options=[{"alpha": 1.5}],
        truth=lambda mp, x: x if x > 0 else 1.5 * mp.expm1(x),
        smooth={"above": 5.0, "lower tail": -40.0},
        kinks={"joint": 0.0},
    ),
    row(
        "celu(x, alpha=1.0)",
        "x above 0, alpha * (exp(x / alpha) - 1) below.",
        number(),
        options=[{"alpha": 2.0}],
        truth=lambda mp, x: x if x > 0 else 2 * mp.expm1(x / 2),
        smooth={"above": 5.0, "lower tail": -80.0},
        kinks={"joint": 0.0},
    ),
    row(
        "selu(x)",
        "elu with an alpha and a scale such that the output keeps mean 0 and variance 1.",
        number(),
        truth=lambda mp, x: SELU_SCALE * (x if x > 0 else SELU_ALPHA * mp.expm1(x)),
        smooth={"above": 5.0, "lower tail": -40.0},
        kinks={"joint": 0.0},
    ),
    # Smooth.
    row(
        "gelu(x)",
        "x times the normal distribution function at x.",
        number(),
        truth=lambda mp, x: x * mp.ncdf(x),
        smooth={"zero": 0.0, "above": 10.0, "lower tail": -8.0},
    ),
    row(
        "gelu_by_tanh(x)",
        "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).",
        number(),
        truth=lambda mp, x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
        smooth={"zero": 0.0, "above": 10.0, "lower tail": -6.0},
    ),
    row(
        "sigmoid(x)",
        "1 / (1 + exp(-x)).",
        number(),
        truth="sigmoid",
        smooth={"zero": 0.0, "upper tail": 37.0, "lower tail": -40.0},
        complex=True,
    ),
    row(
        "logsigmoid(x)",
        "log(sigmoid(x)).",
        number(),
        truth=lambda mp, x: -mp.log1p(mp.exp(-x)),
        smooth={"zero": 0.0, "saturated": -40.0, "upper tail": 40.0},
    ),
    row(
        "silu(x)",
        "x * sigmoid(x).",
        number(),
        truth=lambda mp, x: x / (1 + mp.exp(-x)),
        smooth={"zero": 0.0, "saturated": 40.0, "lower tail": -40.0},
        complex=True,
    ),
    row(
        "mish(x)",
        "x * tanh(softplus(x)).",
        number(),
        truth=lambda mp, x: x * mp.tanh(mp.log1p(mp.exp(x))),
        smooth={"zero": 0.0, "saturated": 40.0, "lower tail": -40.0},
    ),
    row(
        "softplus(x)",
        "log(1 + exp(x)).",
        number(),
        truth=lambda mp, x: mp.log1p(mp.exp(x)),
        smooth={"zero": 0.0, "saturated": 40.0, "lower tail": -40.0},
    ),
    row(
        "softplus_with_beta(x, beta, threshold)",
        "log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.",
        number(),
        options=[{"beta": 2.0, "threshold": 40.0}],
        truth=lambda mp, x: mp.log1p(mp.exp(2 * x)) / 2,
        smooth={"zero": 0.0, "saturated": 30.0, "lower tail": -20.0},
    ),
    row(
        "squareplus(x)",
        "(x + sqrt(x^2 + 4)) / 2.",
        number(),
        truth=lambda mp, x: (x + mp.sqrt(x * x + 4)) / 2,
        smooth={"zero": 0.0, "saturated": 1e8, "lower tail": -1e6},
    ),
    row(
        "softsign(x)",
        "x / (1 + abs(x)).",
        number(),
        truth=lambda mp, x: x / (1 + abs(x)),
        smooth={"upper tail": 1e8, "lower tail": -1e8},
        kinks={"zero": 0.0},
        complex=True,
    ),
    row(
        "tanhshrink(x)",
        "x - tanh(x).",
        number(),
        truth=lambda mp, x: x - mp.tanh(x),
        smooth={"zero": 0.0, "saturated": 20.0, "tail of small numbers": 1e-7},
        complex=True,
    ),
    row(
        "log1mexp(x)",
        "log(1 - exp(-x)).",
        number(0),
        truth=lambda mp, x: mp.log(-mp.expm1(-x)),
        smooth={"log 2": 0.6931471805599453, "small": 1e-3, "upper tail": 40.0},
    ),
    row(
        "gumbel_softmax(x, hard)", "Softmax of a vector plus random Gumbel noise; with `hard`, one-hot at its maximum."
    ),
    *DROPOUT,
    *OF_VECTORS,
)
