"""Smaller arguments of a person's function, at which a law is still broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from conformance.laws.judge import Deviation
from conformance.laws.subject import NumPyArray
from conformance.operations.row import Operation, Point
from conformance.operations.samples import Sample
from conformance.own.arguments import OwnCall
from conformance.own.function import operation_of

# Longer axes are tried first, to become of the first length at which the law is still broken.
LENGTHS = (1, 2)


def shrunk(deviation: Deviation, breaks: Callable[[Operation], Deviation | None]) -> Deviation:
    """The law at the smallest arguments at which it `breaks`, axis by axis."""
    smaller = next(filter(None, map(breaks, _smaller(deviation.points[0]))), None)
    return shrunk(smaller, breaks) if smaller else deviation


def _smaller(sample: Sample) -> Iterator[Operation]:
    values = sample.differentiated
    # At once, as an engine that compiles does so for each shape.
    if any(n > 1 for x in values for n in x.shape):
        yield at_numbers(sample, [x[(slice(1),) * x.ndim] for x in values])
    for length in sorted({n for x in values for n in x.shape}, reverse=True):
        for shorter in (n for n in LENGTHS if n < length):
            yield at_numbers(sample, [_cut(x, length, shorter) for x in values])


def _cut(x: NumPyArray, length: int, shorter: int) -> NumPyArray:
    return x[tuple(slice(shorter) if n == length else slice(None) for n in x.shape)]


def at_numbers(sample: Sample, values: Sequence[NumPyArray]) -> Operation:
    """The operation at these numbers; a kink stays a kink."""
    operation = sample.operation
    assert isinstance(operation.call, OwnCall)
    declared = operation_of(operation.call, operation.meaning, values, operation.order, operation.dtype)
    is_kink = sample.point in operation.kinks
    return replace(declared, kinks=(Point(sample.at, tuple(values)),)) if is_kink else declared
