"""Loops and branches as operations, and functions that are solved for: each with a derivative of the engine's."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families.matrices import positive_definite
from conformance.operations.row import Argument, array, family, number, row


def _between_powers(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Numbers that reach 8 after one or two doublings, and not nearly."""
    return random.choice([2.5, 5.0], shape) + random.uniform(-0.3, 0.3, shape)


def _on_both_sides(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    return random.choice([-1.0, 1.0], shape) + random.uniform(-0.3, 0.3, shape)


LOOPS = family(
    "Loops",
    row(
        "scan(state, xs, weight, reverse=False, unroll=1)",
        "state = tanh(weight state + x) for each x: the last state, and all.",
        array(2),
        array(4, 2),
        array(2),
        options=[{}, {"reverse": True}, {"unroll": 2}],
        smooth={"zero weight": (0.5, 1.0, 0.0), "zero": (0.0, 0.0, 0.0)},
    ),
    row(
        "associative_scan(decay, x, reverse=False)",
        "y[i] = decay[i] y[i - 1] + x[i], in parallel.",
        array(5, 2),
        array(5, 2),
        options=[{}, {"reverse": True}],
        smooth={
            "zero decay": (0.0, 0.7),
            "one zero": ([[0.5, 2.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [2.0, -1.0]], 1.0),
        },
    ),
    row(
        "while_loop(x, count)",
        "x = x + sin(x) / 2, that many times, by a loop of no fixed length.",
        number(),
        options=[{"count": 3}, {"count": 0}],
        smooth={"zero": 0.0},
    ),
    row(
        "while_loop_until(x)",
        "x doubled until it is above 8.",
        Argument((3,), draw=_between_powers),
        smooth={"not once": 9.0},
    ),
    row(
        "fori_loop(x, count)",
        "x = x + sin(x) / 2, that many times.",
        number(),
        options=[{"count": 3}, {"count": 0}],
        smooth={"zero": 0.0},
    ),
    row(
        "cond_of_branches(x, y)",
        "sqrt(x) y where x is above 0, x y elsewhere; the other branch is not computed.",
        Argument((), draw=_on_both_sides),
        array(2),
        smooth={"no root": (-1.0, [0.5, 2.0]), "root": (1.0, [0.5, 2.0])},
    ),
    row(
        "switch(x, index)",
        "One of sin(x), x^2 and exp(x), by an index; an index beyond the last is the last.",
        number(),
        options=[{"index": 0}, {"index": 1}, {"index": 2}, {"index": 5}],
        smooth={"zero": 0.0},
    ),
    row(
        "map_rows(x)",
        "log(sum(exp(x))) of each row, one after the other.",
        array(3, 2),
        smooth={"equal": 0.5},
    ),
    row(
        "custom_linear_solve(matrix, b)",
        "matrix^-1 b, with a rule of its own: the derivative solves another system.",
        positive_definite(3),
        array(3),
        smooth={"zero": ([[0.0] * 3] * 3, 0.0)},
    ),
    row(
        "custom_root(a)",
        "The x at which x^3 + x = a, with a rule of its own.",
        number(),
        truth=lambda mp, a: 2 / mp.sqrt(3) * mp.sinh(mp.asinh(3 * mp.sqrt(3) / 2 * a) / 3),
        smooth={"zero": 0.0, "two": 2.0},
    ),
)
