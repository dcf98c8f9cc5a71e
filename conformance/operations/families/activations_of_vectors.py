"""Activations of vectors."""

from __future__ import annotations

from conformance.operations.families import truths
from conformance.operations.row import INFINITY, array, given, row

OF_VECTORS = (
    row(
        "glu(x, axis=-1)",
        "The first half of x times the sigmoid of the second half.",
        array(4, 2),
        options=[{}, {"axis": 0}],
        smooth={
            "zero": 0.0,
            "saturated": [[1.0, 40.0], [1.0, -40.0], [0.0, 2.0], [2.0, 0.0]],
            "infinite gate": [[1.0, INFINITY], [1.0, -INFINITY], [0.0, 2.0], [2.0, 0.0]],
            "tail": [[1.0, -40.0], [-2.0, -300.0], [0.5, -600.0], [2.0, 0.0]],
        },
        truth=truths.glu,
    ),
    row(
        "softmax(x, axis=0)",
        "exp(x) / sum(exp(x)).",
        array(3, 2),
        options=[{}, {"axis": 1}, {"axis": -1}],
        smooth={
            "equal": 0.0,
            "saturated": [[50.0, -400.0], [-50.0, 1.0], [0.0, 400.0]],
            "masked": [[1.0, -INFINITY], [-INFINITY, 0.5], [0.0, 1.0]],
            "tail": [[0.0, -300.0], [0.3, 0.5], [-40.0, 0.0]],
        },
        truth=truths.softmax,
    ),
    row(
        "log_softmax(x, axis=0)",
        "log(softmax(x)).",
        array(3, 2),
        options=[{}, {"axis": 1}, {"axis": -1}],
        smooth={
            "equal": 0.0,
            "saturated": [[50.0, -400.0], [-50.0, 1.0], [0.0, 400.0]],
            "tail": [[0.0, -300.0], [0.3, 0.5], [-40.0, 0.0]],
        },
        truth=truths.log_softmax,
    ),
    row(
        "softmin(x, axis=0)",
        "softmax(-x).",
        array(3, 2),
        options=[{}, {"axis": 1}, {"axis": -2}],
        smooth={
            "equal": 0.0,
            "saturated": [[50.0, -400.0], [-50.0, 1.0], [0.0, 400.0]],
            "masked": [[1.0, INFINITY], [INFINITY, 0.5], [0.0, 1.0]],
            "tail": [[0.0, 300.0], [0.3, 0.5], [40.0, 0.0]],
        },
        truth=truths.softmin,
    ),
    row(
        "masked_softmax(x, mask, axis=0)",
        "softmax of the elements where the mask is true; 0 elsewhere.",
        array(3, 2),
        given([[True, False], [True, True], [False, True]]),
        options=[{}, {"axis": 1}, {"axis": -2}],
        smooth={
            "equal": 0.0,
            "large where false": [[1.0, 800.0], [2.0, 1.0], [800.0, 3.0]],
            "infinite where false": [[1.0, INFINITY], [2.0, 1.0], [-INFINITY, 3.0]],
            "only one": [[-800.0, 0.0], [0.0, 0.0], [0.0, 800.0]],
        },
        truth=truths.masked_softmax,
    ),
)
