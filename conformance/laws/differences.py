"""Derivatives by central differences, with an estimate of their error by Richardson extrapolation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy

from conformance.laws.comparison import coarseness

# Steps h, h/2, h/4, h/8: the error of the last extrapolated value is of order h^8.
STEP, LEVELS = 0.04, 4
# Central differences by order: how many steps there are, and the weights of the values at multiples of the step. Errors
# are even in the step. Rounding grows with the inverse cube of the third order's steps: they are fewer.
STENCILS = {
    1: (LEVELS, {1: 0.5, -1: -0.5}),
    2: (LEVELS, {1: 1.0, 0: -2.0, -1: 1.0}),
    3: (LEVELS - 1, {2: 0.5, 1: -1.0, -1: 1.0, -2: -0.5}),
}
# An error of a derivative, beside its size, that is far below the rounding that a comparison allows.
ENOUGH = 1e-10


@dataclass(frozen=True)
class Estimate:
    """A derivative, and a bound of its error."""

    value: float
    error: float


def central(function: Callable[[float], float], order: int = 1, step: float = STEP) -> Estimate:
    """The derivative of that order, 1 to 3, of a function of a number at zero (C. J. F. Ridders, 1982).

    Of the table of extrapolated values, it is that whose neighbours in the table differ least from it.
    """
    levels, stencil = STENCILS[order]
    coarse = coarseness.get()
    step *= coarse.step
    rows: list[list[float]] = []
    best, scale = Estimate(numpy.nan, numpy.inf), 0.0
    for level in range(levels):
        h = step / 2**level
        values = {at: function(at * h) for at in stencil}
        scale = max(scale, *map(abs, values.values()))
        line = [sum(weight * values[at] for at, weight in stencil.items()) / h**order]
        # Errors are even in the step: each column takes out the next even power, and halving divides that by 4**power.
        for power, earlier in enumerate(rows[-1] if rows else (), 1):
            line.append(line[-1] + (line[-1] - earlier) / (4**power - 1))
            error = max(abs(line[-1] - line[-2]), abs(line[-1] - earlier))
            if error <= best.error:
                best = Estimate(line[-1], error)
        rows.append(line)
        # More would change no verdict: as often, where the function is a polynomial.
        if best.error <= ENOUGH * abs(best.value):
            break
    # What rounding of the values alone does to the smallest step.
    rounding = coarse.rounding * scale * sum(map(abs, stencil.values())) / h**order
    return Estimate(best.value, best.error + rounding)


def one_sided_agree(function: Callable[[float], float], step: float = 1e-3) -> bool:
    """Whether the differences to the left and to the right come together as the step is quartered twice.

    At a kink they stay apart; where the function is smooth, their distance shrinks as the step does.
    """
    middle, coarse = function(0.0), coarseness.get()
    step *= coarse.step
    apart = []
    for h in (step, step / 4, step / 16):
        right, left = (function(h) - middle) / h, (middle - function(-h)) / h
        apart.append(abs(right - left))
    size = abs(right) + abs(left)
    # Rounding of the values, which the division by the smallest step makes larger.
    noise = coarse.rounding * max(abs(middle), 1.0) / h
    return bool(apart[2] <= 0.3 * apart[0] + noise or apart[2] <= 1e-6 * size)


def sides(function: Callable[[float], float], step: float = 1e-2) -> tuple[Estimate, Estimate]:
    """The derivatives of a function of a number at zero from the left and from the right."""
    return _one_sided(function, -step), _one_sided(function, step)


def _one_sided(function: Callable[[float], float], step: float) -> Estimate:
    """Extrapolated from four steps: the error of the last value is of fourth order."""
    middle = function(0.0)
    rows: list[list[float]] = []
    for level in range(LEVELS):
        h = step / 2**level
        line = [(function(h) - middle) / h]
        # One-sided errors have all powers of the step, so the divisors are of 2 and not of 4 as in `central`.
        for order, earlier in enumerate(rows[-1] if rows else (), 1):
            line.append(line[-1] + (line[-1] - earlier) / (2**order - 1))
        rows.append(line)
    return Estimate(rows[-1][-1], abs(rows[-1][-1] - rows[-1][-2]))
