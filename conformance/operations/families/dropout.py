"""Dropout: the numbers drawn at random are constants, the same at each call."""

from __future__ import annotations

from conformance.operations.row import array, number, row

SEEDS = [{"p": 0.5, "seed": 0}, {"p": 0.2, "seed": 1}]

DROPOUT = (
    row(
        "dropout(x, p)",
        "Each element zeroed with probability p, the others divided by 1 - p.",
        number(),
        options=[{"p": 0.0}, {"p": 1.0}],
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "alpha_dropout(x, p)",
        "Dropout that keeps mean and variance of the outputs of selu.",
        number(),
        options=[{"p": 0.0}],
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "dropout_from_a_seed(x, p, seed)",
        "dropout whose random numbers come from a seed.",
        array(3, 4),
        options=SEEDS,
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "dropout_of_channels(x, p, seed)",
        "Each channel (second axis) of each sample zeroed with probability p, the others divided by 1 - p.",
        array(2, 3, 2),
        options=SEEDS,
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "alpha_dropout_from_a_seed(x, p, seed)",
        "alpha_dropout whose random numbers come from a seed.",
        array(3, 4),
        options=SEEDS,
        smooth={"zero": 0.0},
    ),
    row(
        "rrelu_from_a_seed(x, seed)",
        "x above 0; below, times a slope drawn for each element.",
        array(3, 4),
        options=[{"seed": 0}],
        kinks={"zero": 0.0},
        degree=1,
    ),
)
