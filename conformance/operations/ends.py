"""Ends: the outermost numbers at which the derivative of a function of a number is a normal number, by mpmath.

`python -m workshop ends` writes them to `ends.json`, with the derivatives there: far out, mpmath takes seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from conformance.operations.row import Operation, Point
from conformance.operations.samples import Sample, at_point

FILE = Path(__file__).with_suffix(".json")
ORDERS = (1, 2, 3)


class End(NamedTuple):
    """A number near the end of where it matters, and the derivatives of each order there."""

    kind: str
    at: float
    derivatives: tuple[float, ...]


@cache
def kept() -> dict[str, list[End]]:
    """The ends of each operation."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: [End(kind, at, tuple(derivatives)) for kind, (at, *derivatives) in ends.items()]
        for name, ends in table.items()
    }


def ends(operation: Operation) -> Iterator[Sample]:
    """The ends of an operation as samples of one number."""
    for end in kept()[operation.name]:
        yield at_point(operation, Point(end.kind, (end.at,))).first()


def derivative_at(sample: Sample, order: int) -> float:
    """The derivative of that order at a sample that is an end."""
    return next(end.derivatives[order - 1] for end in kept()[sample.operation.name] if end.kind == sample.at)
