"""Losses of margins: piecewise smooth, and zero where the margin is kept."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families import truths
from conformance.operations.row import Argument, array, given, row, under


def near(numbers: Any, within: float = 0.05) -> Argument:
    """An array of about these numbers: away from the joints of a loss in every draw."""

    def draw(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
        return numpy.asarray(numbers) + random.uniform(-within, within, shape)

    return array(*numpy.shape(numbers), draw=draw)


REDUCTIONS = [{}, {"reduction": "sum"}, {"reduction": "none"}]
SIGNS = given([1.0, -1.0, 1.0, -1.0])
ANCHOR, NEGATIVE = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], [[-0.5, 0.6, 0.5], [1.5, 0.4, 1.8]]
EPS = 1e-6  # What is added to each difference: those of HINGE are then 3 and 4, and zeros.
HINGE = (
    [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]],
    [[EPS - 3.0, EPS, EPS], [0.2, 1.7, 0.3]],
    [[EPS - 4.0, EPS, EPS], [1.5, 0.4, 1.8]],
)
# The negative is as far from the positive as from the anchor, in each row.
SWAP_TIE = (
    [[1.0, 0.0, 0.0], [1.0, 1.5, 2.0]],
    [[0.0, 1.0, 0.0], [1.0, 1.0, 2.5]],
    [[0.0, 0.0, 0.0], [1.0, 1.0, 2.0]],
)
TRIPLET = (
    near([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]),
    near([[0.8, -0.7, 0.9], [0.2, 1.7, 0.3]]),
    near([[-0.5, 0.6, 0.5], [2.5, -1.0, 2.8]]),
)

# Logits far below zero, and targets of zero.
TAIL = ([[-40.0, -300.0, 0.5], [-650.0, 1.0, -20.0]], 0.0)

OF_MARGINS = (
    row(
        "soft_margin_loss(x, target, reduction='mean')",
        "Mean of log(1 + exp(-target * x)) for targets 1 and -1.",
        array(4),
        SIGNS,
        options=REDUCTIONS,
        smooth={
            "zero": 0.0,
            "saturated": [40.0, 40.0, -40.0, -40.0],
            "overflow": [-800.0, 800.0, 1.0, 2.0],
            "tail": [40.0, -300.0, 650.0, 1.0],
        },
        truth=truths.soft_margin_loss,
    ),
    row(
        "hinge_embedding_loss(x, target, margin=1.0, reduction='mean')",
        "Mean of x where the target is 1, of max(0, margin - x) where it is -1.",
        near([0.5, 0.3, -0.5, 1.6]),
        SIGNS,
        options=[*REDUCTIONS, {"margin": 0.6}],
        kinks={"margin": [0.5, 1.0, -0.5, 1.6]},
    ),
    row(
        "margin_ranking_loss(x, y, target, margin=0.0, reduction='mean')",
        "Mean of max(0, margin - target * (x - y)).",
        near([0.5, -0.5, 0.1, 0.2]),
        near([-0.2, 0.2, 0.8, -0.7]),
        SIGNS,
        options=[*REDUCTIONS, {"margin": 0.3}],
        kinks={"tie": ([0.5, -0.5, 0.1, 0.2], [0.5, 0.2, 0.8, -0.7])},
        degree=[1, 1, 1, None],
    ),
    row(
        "multi_margin_loss(x, target, p=1, margin=1.0, reduction='mean')",
        "Mean over rows of the mean of max(0, margin - x[target] + x[i])^p over the other classes i.",
        near([[0.2, 1.5, -0.7, 0.9], [0.0, -0.4, 0.3, 0.6]]),
        given([1, 0]),
        options=[*REDUCTIONS, {"p": 2}, {"margin": 2.0}],
        kinks={"margin": [[0.5, 1.5, -0.7, 0.9], [0.0, -0.4, 0.3, 0.6]]},
    ),
    row(
        "multilabel_margin_loss(x, target, reduction='mean')",
        "Mean over rows of the mean of max(0, 1 - x[y] + x[i]) over targets y (they end at -1) and other classes i.",
        near([[0.1, 0.2, 0.4, 0.8], [1.9, 0.5, -0.6, 0.2]]),
        given([[3, 0, -1, 1], [0, -1, 2, 1]]),
        options=REDUCTIONS,
        kinks={"margin": [[0.1, 0.2, 0.4, 0.8], [1.9, 0.9, -0.6, 0.2]]},
    ),
    row(
        "triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-06, swap=False, reduction='mean')",
        "Mean of max(0, margin + |anchor - positive| - |anchor - negative|), in p-norms of rows to which eps is added;"
        " `swap`: the negative's distance is that from the positive if that is smaller.",
        *TRIPLET,
        options=[
            *REDUCTIONS,
            {"swap": True},
            {"p": 1.0},
            {"p": 3.0},
            {"margin": 3.0},
            {"eps": 0.5},
            {"p": 3.0, "eps": 0.5},
        ],
        smooth={
            "anchor is positive": under(7, (ANCHOR, ANCHOR, NEGATIVE)),
            "anchor is positive, of order 3": under(8, (ANCHOR, ANCHOR, NEGATIVE)),
        },
        kinks={"hinge": HINGE, "swap tie": under(3, SWAP_TIE)},
        truth=truths.triplet_margin_loss,
    ),
    row(
        "cosine_embedding_loss(x, y, target, margin=0.0, reduction='mean')",
        "Mean of 1 - cos(x, y) of rows where the target is 1, of max(0, cos(x, y) - margin) where it is -1.",
        near([[1.0, 0.5, -0.5], [0.6, -1.0, 0.8]]),
        near([[-0.4, 1.0, 0.7], [1.0, -0.3, 0.5]]),
        given([1.0, -1.0]),
        options=[*REDUCTIONS, {"margin": 0.5}],
        smooth={"equal": ([[1.0, 0.5, -0.5], [0.6, -1.0, 0.8]], [[1.0, 0.5, -0.5], [0.6, -1.0, 0.8]])},
        kinks={"orthogonal": ([[1.0, 0.5, -0.5], [0.0, 1.0, 1.0]], [[1.0, 0.3, -0.5], [1.0, 1.0, -1.0]])},
    ),
    row(
        "triplet_margin_with_distance_loss(anchor, positive, negative, margin=1.0, swap=False, reduction='mean')",
        "triplet_margin_loss with another distance, by default the 2-norm.",
        *TRIPLET,
        options=[*REDUCTIONS, {"swap": True}, {"margin": 3.0}],
        kinks={"hinge": HINGE, "swap tie": under(3, SWAP_TIE)},
    ),
)
