"""Derivatives of an operation at a point by differences of its values alone, computed once for all laws.

Differences of values need no derivative of the engine, so an estimate serves every mode and every composition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy

from conformance.laws.differences import Estimate, central
from conformance.laws.kept import kept
from conformance.laws.operation_subject import OperationSubject
from conformance.operations.samples import NumPyArray, Sample


def estimate(subject: OperationSubject, order: int) -> Estimate:
    """The derivative of the operation with u and v for directions 0 and 1: along v; along u and v; along u, u and v.

    Of order 1 it is that of `OperationSubject.scalar`, of a higher order that of `OperationSubject.cubic`.
    """
    known: dict[Any, Estimate] = kept(subject, "estimates")
    key = (subject.sample.key, order)
    if key not in known:
        known[key] = _mixed(subject, order)
    return known[key]


def _mixed(subject: OperationSubject, order: int) -> Estimate:
    """By derivatives of that order along single lines: u v = ((u + v) / 2)^2 - ((u - v) / 2)^2, and likewise u u v."""
    if order == 1:
        return central(_line(subject, 0.0, 1.0))
    lines = [(1.0, 0.5, 0.5), (-1.0, 0.5, -0.5)]
    if order == 3:
        lines = [(4 / 3, 0.5, 0.5), (-4 / 3, 0.5, -0.5), (-1 / 3, 0.0, 1.0)]
    cubes = sum(float(numpy.sum(term)) for term in _cubes(subject.sample, order))
    parts = [(weight, central(_line(subject, u, v), order)) for weight, u, v in lines]
    return Estimate(
        cubes + sum(weight * part.value for weight, part in parts),
        sum(abs(weight) * part.error for weight, part in parts),
    )


def _cubes(sample: Sample, order: int) -> Iterator[NumPyArray]:
    """The derivative of what `cubic` adds, by each argument."""
    for x, u, v in zip(sample.differentiated, sample.directions(0), sample.directions(1), strict=True):
        yield (x if order == 2 else u) * u * v


def _line(subject: OperationSubject, first: float, second: float) -> Callable[[float], float]:
    """The program's value along a combination of both directions."""
    pairs = zip(subject.direction(0), subject.direction(1), strict=True)
    # Cached: the differences of all steps share points, such as zero, or twice the half of a step.
    return cache(subject.scalar_along([first * u + second * v for u, v in pairs]))
