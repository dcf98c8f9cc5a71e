"""Distances of vectors, and of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from conformance.operations.families import truths
from conformance.operations.reasons import STEPS
from conformance.operations.row import INFINITY, Argument, array, row, under

EQUAL_ROWS = {"equal rows": ([[0.5, 1.0], [2.0, -1.0]], [[0.5, 1.0], [-1.0, 0.3], [3.0, 1.1]])}
ZERO_ROW = [[0.0, 0.0, 0.0], [0.5, -1.0, 2.0]]
ONE_EQUAL_COORDINATE = {"equal coordinate": ([[0.5, 1.0], [2.0, -1.0]], [[0.5, 0.2], [-1.0, 0.3], [3.0, 1.1]])}


def points(count: int, at: float) -> Argument:
    """Points of a plane; those of two arguments have no coordinate in common, as `at` differs."""

    def draw(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
        columns = [random.permutation(shape[0]) * 1.3 + at + 0.1 * random.random(shape[0]) for _ in range(shape[1])]
        # No two distances along different axes are equal.
        return numpy.stack(columns, 1) * numpy.array([1.0, 1.41])

    return array(count, 2, draw=draw)


def _powers(*powers: float) -> Sequence[dict[str, Any]]:
    return [{"p": p} for p in powers]


OF_DISTANCES = (
    row(
        "dist(x, y, p=2)",
        "p-norm of x - y.",
        array(4, low=0.0),
        array(4, high=0.0),
        options=_powers(2, 1, 3, INFINITY, 0.5, -INFINITY),
        smooth={"equal coordinate": ([1.0, 0.0, 2.0, 0.3], [-1.0, 0.0, -1.5, 0.0])},
        kinks={"equal": (0.0, 0.0)},
        degree=1,
        truth=truths.dist,
    ),
    row(
        "dist_of_order_0(x, y)",
        "Number of elements in which x and y differ.",
        array(4, low=0.0),
        array(4, high=0.0),
        ordinary=STEPS,
    ),
    row(
        "cdist(x, y, p=2.0)",
        "p-norm distances of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        options=_powers(2.0, 1.0, 3.0, INFINITY, 1.5),
        smooth=ONE_EQUAL_COORDINATE,
        kinks=EQUAL_ROWS,
        degree=1,
        truth=truths.cdist,
    ),
    row(
        "cdist_of_order_1(x, y)",
        "Distances of order 1 of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        kinks=EQUAL_ROWS | ONE_EQUAL_COORDINATE,
        degree=1,
        truth=lambda mp, x, y: truths.cdist(mp, x, y, 1),
    ),
    row(
        "cdist_of_order_3(x, y)",
        "Distances of order 3 of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        smooth=ONE_EQUAL_COORDINATE,
        kinks=EQUAL_ROWS,
        order=2,
        degree=1,
        truth=lambda mp, x, y: truths.cdist(mp, x, y, 3),
    ),
    row(
        "cdist_of_order_infinity(x, y)",
        "Largest differences of coordinates of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        kinks={"tie": ([[0.5, 1.0], [2.0, -1.0]], [[1.5, 2.0], [-1.0, 0.3], [3.0, 1.1]]), **EQUAL_ROWS},
        degree=1,
        truth=lambda mp, x, y: truths.cdist(mp, x, y, INFINITY),
    ),
    row(
        "pdist(x, p=2.0)",
        "p-norm distances of all pairs of rows.",
        points(4, 0.0),
        options=_powers(2.0, 1.0, 3.0, INFINITY, 1.5),
        smooth={"equal coordinate": [[0.5, 1.0], [0.5, -1.0], [2.0, 0.1], [-1.0, 0.6]]},
        kinks={"equal rows": [[0.5, 1.0], [2.0, -1.0], [0.5, 1.0], [-1.0, 0.3]]},
        degree=1,
        truth=truths.pdist,
    ),
    row(
        "pairwise_distance(x, y, p=2.0, eps=1e-06)",
        "p-norms of the rows of x - y, to which eps is added.",
        array(2, 3, low=0.0),
        array(2, 3, high=0.0),
        options=[*_powers(2.0, 1.0, 3.0, INFINITY), {"eps": 0.5}, {"p": 3.0, "eps": 0.5}],
        smooth={
            "equal coordinate": ([[1.0, 0.0, 2.0], [0.0, 0.0, 0.3]], [[-1.0, 0.0, -1.5], [0.0, 0.0, -1.0]]),
            "equal": under(4, (0.0, 0.0)),
            "equal of order 3": under(5, (0.0, 0.0)),
        },
        truth=truths.pairwise_distance,
    ),
    row(
        "cosine_similarity(x, y, axis=1, eps=1e-08)",
        "Cosines of the angles between rows, or columns; norms below eps count as eps.",
        array(2, 3),
        array(2, 3),
        options=({}, {"axis": 0}, {"axis": -1}, {"eps": 0.5}, {"eps": 8.0}),
        smooth={
            "equal": ([[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]], [[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]]),
            "orthogonal": ([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0.0, 2.0, 0.0], [1.0, 1.0, -1.0]]),
            "opposite": ([[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]], [[-1.0, -2.0, 1.0], [-1.0, 0.3, 2.0]]),
            "zero row": under(3, (ZERO_ROW, [[1.0, 2.0, -1.0], [1.0, 0.5, 1.5]])),
            "zero rows of both": under(4, (ZERO_ROW, [[0.0, 0.0, 0.0], [1.0, 0.5, 1.5]])),
        },
        truth=truths.cosine_similarity,
    ),
)
