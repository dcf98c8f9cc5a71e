"""The ends of functions of a number: bisection by mpmath for the file that `conformance/operations/ends.py` reads."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial

import click

from conformance.laws.truth import function_of
from conformance.operations import TABLE
from conformance.operations.ends import FILE, ORDERS
from conformance.operations.row import Operation
from conformance.operations.samples import generic

# Three equal elements are summed, each with factors such as 2 of an intermediate result.
ROOM = 64.0
SMALLEST, LARGEST = sys.float_info.min * ROOM, sys.float_info.max / ROOM
# Bisection of the binary exponent: the number that is kept is this close to the end.
PARTS = 1 / 64
# A third derivative of 1e-308, where a function saturates: digits for it, and for the steps cubed.
DIGITS, STEP = 520, 60
STENCILS: dict[int, dict[int, float]] = {
    1: {1: 0.5, -1: -0.5},
    2: {1: 1, 0: -2, -1: 1},
    3: {2: 0.5, 1: -1, -1: 1, -2: -0.5},
}
TINY = {"tiny": sys.float_info.min, "subnormal": 2.0**-1060}


def with_ends() -> list[Operation]:
    """The functions of one number that have a true value."""
    return [row for row in TABLE.values() if row.truth and row.elementwise and len(row.arguments) == 1]


def measured(operation: Operation) -> dict[str, list[float]]:
    """The ends of an operation, each with the derivatives there."""
    argument, inside = operation.arguments[0], cache(partial(_is_inside, operation))
    start = float(generic(operation).differentiated[0][0])
    numbers = {
        "largest": _outermost(inside, start, argument.high, 1.0),
        "smallest": _outermost(inside, start, argument.low, -1.0),
        **{kind: x for kind, x in TINY.items() if argument.low < x < argument.high and inside(x)},
        **{f"negative and {kind}": -x for kind, x in TINY.items() if argument.low < -x and inside(-x)},
    }
    return {kind: [x, *_derivatives(operation, x)] for kind, x in numbers.items() if x is not None}


def _outermost(inside: Callable[[float], bool], start: float, end: float, sign: float) -> float | None:
    """The number farthest towards an end at which the derivative is a normal number."""
    if math.isinf(end):
        # From zero outwards.
        low, high = math.log2(max(abs(start), 1.0)), 1023.98
        return _bisected(lambda e: inside(sign * 2.0**e), lambda e: sign * 2.0**e, low, high)
    # From the start to the end, by the logarithm of the distance.
    low, high = -math.log2(abs(end - start)), 1074.0 if end == 0 else 52.0
    return _bisected(lambda e: inside(end - sign * 2.0**-e), lambda e: end - sign * 2.0**-e, low, high)


def _bisected(
    inside: Callable[[float], bool], number: Callable[[float], float], low: float, high: float
) -> float | None:
    if not inside(low):
        return None
    if inside(high):
        return number(high)
    while high - low > PARTS:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) else (low, middle)
    return number(low)


def _is_inside(operation: Operation, x: float) -> bool:
    with suppress(Exception):  # of a number outside of the domain, or at a pole
        return SMALLEST <= abs(derivative(operation, x, 1)) <= LARGEST
    return False


def _derivatives(operation: Operation, x: float) -> Iterator[float]:
    for order in ORDERS[: operation.order]:
        try:
            yield derivative(operation, x, order)
        except OverflowError:
            yield math.inf


def derivative(operation: Operation, x: float, order: int) -> float:
    """The derivative by differences with steps relative to the number: as quick far out as near 1.

    Raises ValueError where half the step gives something else, as of a function that oscillates far out.
    """
    import mpmath

    function = function_of(operation, mpmath)
    # Steps relative to a tiny number do not cross zero, which may be a kink, and are seen beside 1.
    with mpmath.workdps(DIGITS + order * max(0, -round(math.log10(abs(x) or 1)))):
        size = abs(mpmath.mpf(x)) or mpmath.mpf(1)
        steps = (size * mpmath.mpf(10) ** -STEP / part for part in (1, 2))
        weights = STENCILS[order].items()
        results = [sum(w * function(x + at * step) for at, w in weights) / step**order for step in steps]
        if abs(results[0] - results[1]) > abs(results[1]) * mpmath.mpf(10) ** -17 + mpmath.mpf(10) ** -400:
            raise ValueError(f"{operation.name} at {x}: no derivative of order {order}")
        return float(results[1])


@click.command()
@click.argument("names", nargs=-1)
def ends(names: tuple[str, ...]) -> None:
    """Measure the ends of these operations, or of all, and write them to the data file."""
    table = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for operation in with_ends():
        if not names or operation.name in names:
            table[operation.name] = measured(operation)
            click.echo(f"{operation.name}: {', '.join(table[operation.name])}")
    lines = (f"{json.dumps(name)}: {json.dumps(table[name])}" for name in sorted(table))
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
