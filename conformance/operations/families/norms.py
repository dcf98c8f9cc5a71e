"""Norms and distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from conformance.operations.matrices import invertible
from conformance.operations.reasons import LINEAR, STEPS
from conformance.operations.row import INFINITY, Argument, array, family, row, under

# A zero component is no kink of a norm between 1 and infinity, if another is not zero.
ZERO_COMPONENTS = {"zero component": [0.0, 1.5, -1.0, 0.5], "one component": [0.0, 0.0, -2.0, 0.0]}
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


def _orders(*orders: float | str) -> Sequence[dict[str, Any]]:
    return [{"order": order} for order in orders]


def _powers(*powers: float) -> Sequence[dict[str, Any]]:
    return [{"p": p} for p in powers]


NORMS = family(
    "Norms",
    # Of vectors.
    row(
        "norm(x, order)",
        "p-norm of a vector.",
        array(4),
        options=_orders(2, 1.5, 2.5, 3),
        smooth=ZERO_COMPONENTS,
        kinks={"zero": 0.0},
        complex=True,
        degree=1,
    ),
    row(
        "vector_norm(x, ord=2, axis=None, keepdims=False)",
        "p-norm over some axes, or of all elements.",
        array(2, 3),
        options=({}, {"axis": 0}, {"axis": -1, "keepdims": True, "ord": 3}, {"axis": (0, 1), "ord": 1}),
        smooth={
            "one component": [[0.0, 0.0, -2.0], [0.0, 0.0, 0.0]],
            "zero components": under(2, [[0.0, 1.5, -1.0], [0.0, 0.0, 2.0]]),
        },
        kinks={"zero": 0.0, "zero row": under(2, ZERO_ROW)},
        complex=True,
        degree=1,
    ),
    row(
        "one_norm(x)",
        "Sum of absolute values.",
        array(4),
        kinks={"zero": 0.0, "zero component": [0.0, 1.5, -1.0, 0.5]},
        complex=True,
        degree=1,
    ),
    row(
        "max_norm(x)",
        "Norm of order infinity: the largest absolute value.",
        array(4),
        kinks={"zero": 0.0, "tie": [2.0, 1.5, -1.0, 2.0], "tie of opposites": [2.0, 1.5, -1.0, -2.0]},
        complex=True,
        degree=1,
    ),
    row(
        "min_norm(x)",
        "Norm of order minus infinity: the smallest absolute value.",
        array(4, low=0.0),
        kinks={"tie": [2.0, 1.5, 1.5, 3.0], "zero component": [0.0, 1.5, 1.0, 2.0]},
        degree=1,
    ),
    row(
        "harmonic_norm(x)",
        "Norm of order -1: 1 / sum(1 / abs(x)).",
        array(4),
        smooth={"ones": 1.0, "infinite component": [INFINITY, 1.5, -1.0, 0.5]},
        kinks={"zero component": [0.0, 1.5, -1.0, 0.5]},
        complex=True,
        degree=1,
    ),
    row(
        "half_norm(x)",
        "Norm of order 1/2: the square of the sum of square roots.",
        array(4, low=0.0),
        smooth={"ones": 1.0, "unequal": [1e-3, 1.0, 4.0, 1e6]},
        complex=True,
        degree=1,
    ),
    row("zero_norm(x)", "Norm of order 0: the number of elements that are not zero.", array(4), ordinary=STEPS),
    row("cubic_norm(x)", "Norm of order 3.", array(4), smooth=ZERO_COMPONENTS, kinks={"zero": 0.0}, order=2, degree=1),
    row("quartic_norm(x)", "Norm of order 4.", array(4), smooth=ZERO_COMPONENTS, kinks={"zero": 0.0}, degree=1),
    row(
        "normalize(x, p=2.0, axis=1, eps=1e-12)",
        "Rows or columns divided by their p-norms, or by eps if that is larger.",
        array(2, 3),
        options=(
            {},
            {"axis": 0},
            {"p": 1.0},
            {"p": 3.0},
            {"axis": -1},
            {"p": INFINITY},
            {"eps": 0.5},
            {"p": 3.0, "eps": 0.5},
            {"p": INFINITY, "eps": 0.5},
        ),
        smooth={
            "zero component": [[0.0, 1.5, -1.0], [0.0, 0.0, 2.0]],
            "unit": [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]],
            "zero row": under(6, ZERO_ROW),
            "zero row of order 3": under(7, ZERO_ROW),
            "zero row of order infinity": under(8, ZERO_ROW),
            "small rows": under(6, [[0.1, 0.0, -0.2], [0.3, 0.1, 0.1]]),
        },
        kinks={
            "norm of eps": under(6, [[0.3, 0.4, 0.0], [0.5, -1.0, 2.0]]),
            "tie of order infinity": under(5, [[1.0, -1.0, 0.5], [0.5, -1.0, 2.0]]),
        },
    ),
    row(
        "renorm(x, p, axis, maxnorm)",
        "Rows along an axis scaled down to p-norms of at most maxnorm.",
        array(3, 3),
        options=(
            {"p": 2.0, "axis": 0, "maxnorm": 1.0},
            {"p": 1.0, "axis": 1, "maxnorm": 1.0},
            {"p": 3.0, "axis": 0, "maxnorm": 1.0},
            {"p": 2.0, "axis": 0, "maxnorm": 100.0},
            {"p": 2.0, "axis": -2, "maxnorm": 1.0},
        ),
        smooth={"zero row": [[0.0, 0.0, 0.0], [0.3, 0.2, -0.1], [1.0, 2.0, -1.0]], "small": 0.2},
        kinks={"at maxnorm": [[0.6, 0.8, 0.0], [0.3, 0.2, -0.1], [1.0, 2.0, -1.0]]},
    ),
    # Of matrices.
    row(
        "matrix_norm(x)",
        "Frobenius norm of a matrix.",
        array(3, 3),
        smooth={"one component": [[0.0, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]},
        kinks={"zero": 0.0},
        complex=True,
        degree=1,
    ),
    row(
        "nuclear_norm(x)",
        "Sum of the singular values.",
        invertible(3),
        smooth={"equal singular values": numpy.eye(3).tolist(), "diagonal": numpy.diag([1.0, 2.0, 3.0]).tolist()},
        kinks={"singular": [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]},
        complex=True,
        degree=1,
    ),
    row(
        "spectral_norm(x)",
        "Largest singular value.",
        invertible(3),
        smooth={
            "diagonal": numpy.diag([1.0, 2.0, 3.0]).tolist(),
            "two equal, smaller": numpy.diag([1.0, 1.0, 3.0]).tolist(),
        },
        kinks={"equal singular values": numpy.eye(3).tolist()},
        complex=True,
        degree=1,
    ),
    row(
        "matrix_norm_of_order(x, order)",
        "Largest (1) or smallest (-1) sum of a column, of a row (inf, -inf); smallest singular value (-2).",
        invertible(3),
        options=_orders(1, INFINITY, -1, -INFINITY, -2),
        kinks={"tie": [[1.0, 2.0, 0.5], [1.5, -0.5, 0.2], [0.1, 0.1, 0.3]]},
        degree=1,
    ),
    row("trace(x)", "Sum of the diagonal of a matrix.", array(3, 3), complex=True, ordinary=LINEAR),
    # Distances.
    row(
        "dist(x, y, p=2)",
        "p-norm of x - y.",
        array(4, low=0.0),
        array(4, high=0.0),
        options=_powers(2, 1, 3, INFINITY, 0.5, -INFINITY),
        smooth={"equal coordinate": ([1.0, 0.0, 2.0, 0.3], [-1.0, 0.0, -1.5, 0.0])},
        kinks={"equal": (0.0, 0.0)},
        degree=1,
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
    ),
    row(
        "cdist_of_order_1(x, y)",
        "Distances of order 1 of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        kinks=EQUAL_ROWS | ONE_EQUAL_COORDINATE,
        degree=1,
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
    ),
    row(
        "cdist_of_order_infinity(x, y)",
        "Largest differences of coordinates of all rows of x from all rows of y.",
        points(2, 0.0),
        points(3, 0.6),
        kinks={"tie": ([[0.5, 1.0], [2.0, -1.0]], [[1.5, 2.0], [-1.0, 0.3], [3.0, 1.1]]), **EQUAL_ROWS},
        degree=1,
    ),
    row(
        "pdist(x, p=2.0)",
        "p-norm distances of all pairs of rows.",
        points(4, 0.0),
        options=_powers(2.0, 1.0, 3.0, INFINITY, 1.5),
        smooth={"equal coordinate": [[0.5, 1.0], [0.5, -1.0], [2.0, 0.1], [-1.0, 0.6]]},
        kinks={"equal rows": [[0.5, 1.0], [2.0, -1.0], [0.5, 1.0], [-1.0, 0.3]]},
        degree=1,
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
    ),
    row(
        "cosine_similarity(x, y, axis=1, eps=1e-08)",
        "Cosines of the angles between rows, or columns; norms below eps count as eps.",
        array(2, 3),
        array(2, 3),
        options=({}, {"axis": 0}, {"axis": -1}, {"eps": 0.5}),
        smooth={
            "equal": ([[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]], [[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]]),
            "orthogonal": ([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0.0, 2.0, 0.0], [1.0, 1.0, -1.0]]),
            "opposite": ([[1.0, 2.0, -1.0], [0.5, 1.0, 1.5]], [[-1.0, -2.0, 1.0], [-1.0, 0.3, 2.0]]),
            "zero row": under(3, (ZERO_ROW, [[1.0, 2.0, -1.0], [1.0, 0.5, 1.5]])),
            "zero rows of both": under(3, (ZERO_ROW, [[0.0, 0.0, 0.0], [1.0, 0.5, 1.5]])),
        },
    ),
)
