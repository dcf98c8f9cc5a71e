"""Making arrays."""

from __future__ import annotations

from conformance.operations.reasons import LINEAR
from conformance.operations.row import array, family, row

CREATION = family(
    "Creation",
    row("zeros(shape)", "Zeros, float64, outside any graph."),
    row("eye(n)", "Identity matrix, float64."),
    row("zeros_like(x)", "Zeros with the shape and dtype of x."),
    row("ones_like(x)", "Ones with the shape and dtype of x."),
    row("full_like(x, value)", "That value with the shape and dtype of x."),
    row("rand_like(x)", "Uniform random numbers in [0, 1) with the shape and dtype of x."),
    # Random numbers, which no law is about.
    row("bernoulli(p)", "Zeros and ones, which are ones with probability p."),
    row("normal(mean)", "Random numbers with the normal distribution of that mean, and deviation 1."),
    row("normal_sample(mean, deviation)", "Numbers drawn from a distribution: constants."),
    row("normal_rsample(mean, deviation)", "Mean plus deviation times standard normal numbers."),
    row("full(value, shape)", "An array of that value.", array(), options=[{"shape": (2, 3)}], ordinary=LINEAR),
    row(
        "linspace(start, stop, num)",
        "Numbers at equal distances.",
        array(),
        array(),
        options=[{"num": 4}],
        smooth={"equal ends": (1.0, 1.0)},
    ),
    row(
        "logspace(start, stop, num)",
        "Powers of ten of exponents at equal distances.",
        array(),
        array(),
        options=[{"num": 4}],
        smooth={"equal ends": (1.0, 1.0), "zeros": (0.0, 0.0)},
    ),
    row(
        "geomspace(start, stop, num)",
        "Numbers of equal ratios.",
        array(low=0.0),
        array(low=0.0),
        options=[{"num": 4}],
        smooth={"equal ends": (2.0, 2.0)},
        degree=1,
    ),
)
