"""Norms and distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from conformance.operations.families import truths
from conformance.operations.families.distances import OF_DISTANCES
from conformance.operations.families.matrices import invertible
from conformance.operations.reasons import LINEAR, STEPS
from conformance.operations.row import INFINITY, array, family, row, under

# A zero component is no kink of a norm between 1 and infinity, if another is not zero.
ZERO_COMPONENTS = {"zero component": [0.0, 1.5, -1.0, 0.5], "one component": [0.0, 0.0, -2.0, 0.0]}
ZERO_ROW = [[0.0, 0.0, 0.0], [0.5, -1.0, 2.0]]


def _orders(*orders: float | str) -> Sequence[dict[str, Any]]:
    return [{"order": order} for order in orders]


NORMS = family(
    "Norms",
    # Of vectors.
    row(
        "norm(x, order)",
        "p-norm of a vector.",
        array(4),
        options=_orders(2, 1.5, 2.5, 3),
        smooth={**ZERO_COMPONENTS, "tail of a component": [1e-200, 1.5, -1.0, 0.5]},
        kinks={"zero": 0.0},
        complex=True,
        degree=1,
        truth=lambda mp, x, order: truths.norm(mp, x, order),
    ),
    row(
        "vector_norm(x, ord=2, axis=None, keepdims=False)",
        "p-norm over some axes, or of all elements.",
        array(2, 3),
        options=({}, {"axis": 0}, {"axis": -1, "keepdims": True, "ord": 3}, {"axis": (0, 1), "ord": 1}),
        smooth={
            "one component": [[0.0, 0.0, -2.0], [0.0, 0.0, 0.0]],
            "zero components": under(2, [[0.0, 1.5, -1.0], [0.0, 0.0, 2.0]]),
            "tail of a component": [[1e-200, 1.5, -1.0], [0.5, 1e-250, 2.0]],
        },
        kinks={"zero": 0.0, "zero row": under(2, ZERO_ROW)},
        complex=True,
        degree=1,
        truth=lambda mp, x, ord=2, axis=None, keepdims=False: truths.norm(mp, x, ord, axis, keepdims),
    ),
    row(
        "one_norm(x)",
        "Sum of absolute values.",
        array(4),
        kinks={"zero": 0.0, "zero component": [0.0, 1.5, -1.0, 0.5]},
        complex=True,
        degree=1,
        truth=truths.of_order(1),
    ),
    row(
        "max_norm(x)",
        "Norm of order infinity: the largest absolute value.",
        array(4),
        kinks={"zero": 0.0, "tie": [2.0, 1.5, -1.0, 2.0], "tie of opposites": [2.0, 1.5, -1.0, -2.0]},
        complex=True,
        degree=1,
        truth=truths.of_order(INFINITY),
    ),
    row(
        "min_norm(x)",
        "Norm of order minus infinity: the smallest absolute value.",
        array(4, low=0.0),
        kinks={"tie": [2.0, 1.5, 1.5, 3.0], "zero component": [0.0, 1.5, 1.0, 2.0]},
        degree=1,
        truth=truths.of_order(-INFINITY),
    ),
    row(
        "harmonic_norm(x)",
        "Norm of order -1: 1 / sum(1 / abs(x)).",
        array(4),
        smooth={"ones": 1.0, "infinite component": [INFINITY, 1.5, -1.0, 0.5]},
        kinks={"zero component": [0.0, 1.5, -1.0, 0.5]},
        complex=True,
        degree=1,
        truth=truths.of_order(-1),
    ),
    row(
        "half_norm(x)",
        "Norm of order 1/2: the square of the sum of square roots.",
        array(4, low=0.0),
        smooth={"ones": 1.0, "unequal": [1e-3, 1.0, 4.0, 1e6]},
        complex=True,
        degree=1,
        truth=truths.of_order(0.5),
    ),
    row("zero_norm(x)", "Norm of order 0: the number of elements that are not zero.", array(4), ordinary=STEPS),
    row(
        "cubic_norm(x)",
        "Norm of order 3.",
        array(4),
        smooth={**ZERO_COMPONENTS, "tail of a component": [1e-140, 1.5, -1.0, 0.5]},
        kinks={"zero": 0.0},
        order=2,
        degree=1,
        truth=truths.of_order(3),
    ),
    row(
        "quartic_norm(x)",
        "Norm of order 4.",
        array(4),
        smooth={**ZERO_COMPONENTS, "tail of a component": [1e-90, 1.5, -1.0, 0.5]},
        kinks={"zero": 0.0},
        degree=1,
        truth=truths.of_order(4),
    ),
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
            "tail of a component": [[1e-200, 1.5, -1.0], [0.5, 1e-250, 2.0]],
        },
        kinks={
            "norm of eps": under(6, [[0.3, 0.4, 0.0], [0.5, -1.0, 2.0]]),
            "tie of order infinity": under(5, [[1.0, -1.0, 0.5], [0.5, -1.0, 2.0]]),
        },
        truth=truths.normalize,
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
        smooth={
            "one component": [[0.0, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "tail of a component": [[1e-200, 1.5, -1.0], [0.5, 1e-250, 2.0], [0.3, 0.2, 1e-30]],
        },
        kinks={"zero": 0.0},
        complex=True,
        degree=1,
        truth=truths.of_order(2),
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
    *OF_DISTANCES,
)
