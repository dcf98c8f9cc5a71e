"""Activations."""

from __future__ import annotations

from conformance.operations.families.activations_of_vectors import OF_VECTORS
from conformance.operations.families.dropout import DROPOUT
from conformance.operations.row import INFINITY, family, number, row

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772

ACTIVATIONS = family(
    "Activations",
    # Exponential below zero: twice differentiable except at the joint.
    row(
        "elu(x, alpha=1.0)",
        "x above 0, alpha * (exp(x) - 1) below.",
        number(),
        options=[{"alpha": 1.5}],
        truth=lambda mp, x: x if x > 0 else 1.5 * mp.expm1(x),
        smooth={
            "above": 5.0,
            "lower tail": -40.0,
            "exp overflows": 800.0,
            "far below": -800.0,
            "minus infinity": -INFINITY,
        },
        kinks={"joint": 0.0},
    ),
    row(
        "celu(x, alpha=1.0)",
        "x above 0, alpha * (exp(x / alpha) - 1) below.",
        number(),
        options=[{"alpha": 2.0}],
        truth=lambda mp, x: x if x > 0 else 2 * mp.expm1(x / 2),
        smooth={
            "above": 5.0,
            "lower tail": -80.0,
            "exp overflows": 800.0,
            "far below": -800.0,
            "minus infinity": -INFINITY,
        },
        kinks={"joint": 0.0},
    ),
    row(
        "selu(x)",
        "elu with an alpha and a scale such that the output keeps mean 0 and variance 1.",
        number(),
        truth=lambda mp, x: SELU_SCALE * (x if x > 0 else SELU_ALPHA * mp.expm1(x)),
        smooth={
            "above": 5.0,
            "lower tail": -40.0,
            "exp overflows": 800.0,
            "far below": -800.0,
            "minus infinity": -INFINITY,
        },
        kinks={"joint": 0.0},
    ),
    # Smooth.
    row(
        "gelu(x)",
        "x times the normal distribution function at x.",
        number(),
        truth=lambda mp, x: x * mp.ncdf(x),
        smooth={"zero": 0.0, "above": 10.0, "lower tail": -8.0, "far lower tail": -30.0, "far above": 1e200},
    ),
    row(
        "gelu_by_tanh(x)",
        "x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).",
        number(),
        truth=lambda mp, x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
        smooth={"zero": 0.0, "above": 10.0, "lower tail": -6.0, "cube overflows": 1e200, "far below": -1e200},
    ),
    row(
        "sigmoid(x)",
        "1 / (1 + exp(-x)).",
        number(),
        truth="sigmoid",
        smooth={
            "zero": 0.0,
            "upper tail": 37.0,
            "lower tail": -40.0,
            "far lower tail": -708.0,
            "exp overflows": -800.0,
            "infinity": INFINITY,
            "minus infinity": -INFINITY,
        },
        complex=True,
    ),
    row(
        "logsigmoid(x)",
        "log(sigmoid(x)).",
        number(),
        truth=lambda mp, x: -mp.log1p(mp.exp(-x)),
        smooth={"zero": 0.0, "saturated": -40.0, "upper tail": 40.0, "exp overflows": -800.0, "infinity": INFINITY},
    ),
    row(
        "silu(x)",
        "x * sigmoid(x).",
        number(),
        truth=lambda mp, x: x / (1 + mp.exp(-x)),
        smooth={
            "zero": 0.0,
            "saturated": 40.0,
            "lower tail": -40.0,
            "far lower tail": -709.0,
            "far above": 800.0,
            "exp overflows": -800.0,
        },
        complex=True,
    ),
    row(
        "mish(x)",
        "x * tanh(softplus(x)).",
        number(),
        truth=lambda mp, x: x * mp.tanh(mp.log1p(mp.exp(x))),
        smooth={"zero": 0.0, "saturated": 40.0, "lower tail": -40.0, "exp overflows": 800.0, "far below": -800.0},
    ),
    row(
        "softplus(x)",
        "log(1 + exp(x)).",
        number(),
        truth=lambda mp, x: mp.log1p(mp.exp(x)),
        smooth={
            "zero": 0.0,
            "saturated": 40.0,
            "lower tail": -40.0,
            "exp overflows": 800.0,
            "far below": -800.0,
            "minus infinity": -INFINITY,
        },
    ),
    row(
        "softplus_with_beta(x, beta, threshold)",
        "log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.",
        number(),
        options=[{"beta": 2.0, "threshold": 40.0}],
        truth=lambda mp, x: mp.log1p(mp.exp(2 * x)) / 2,
        smooth={
            "zero": 0.0,
            "saturated": 30.0,
            "lower tail": -20.0,
            "exp overflows": 800.0,
            "far below": -800.0,
            "minus infinity": -INFINITY,
        },
    ),
    row(
        "squareplus(x)",
        "(x + sqrt(x^2 + 4)) / 2.",
        number(),
        truth=lambda mp, x: (x + mp.sqrt(x * x + 4)) / 2,
        smooth={"zero": 0.0, "saturated": 1e8, "lower tail": -1e6, "square overflows": 1e200},
    ),
    row(
        "softsign(x)",
        "x / (1 + abs(x)).",
        number(),
        truth=lambda mp, x: x / (1 + abs(x)),
        smooth={"upper tail": 1e8, "lower tail": -1e8, "square overflows": 1e200},
        kinks={"zero": 0.0},
        complex=True,
    ),
    row(
        "tanhshrink(x)",
        "x - tanh(x).",
        number(),
        truth=lambda mp, x: x - mp.tanh(x),
        smooth={"zero": 0.0, "saturated": 20.0, "tail of small numbers": 1e-7, "far": 1000.0},
        complex=True,
    ),
    row(
        "log1mexp(x)",
        "log(1 - exp(-x)).",
        number(0),
        truth=lambda mp, x: mp.log(-mp.expm1(-x)),
        smooth={
            "log 2": 0.6931471805599453,
            "small": 1e-3,
            "upper tail": 40.0,
            "tiny": 1e-12,
            "exp underflows": 800.0,
            "infinity": INFINITY,
        },
    ),
    row(
        "gumbel_softmax(x, hard)", "Softmax of a vector plus random Gumbel noise; with `hard`, one-hot at its maximum."
    ),
    *DROPOUT,
    *OF_VECTORS,
)
