"""Curves: an operation and its derivative near a point, by each mode of an engine and as they should be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy

from conformance.laws import comparison, differences, truth
from conformance.laws.comparison import compared, without_warnings
from conformance.laws.compositions import Derivative, forward, repeated, reverse
from conformance.laws.differences import Estimate
from conformance.laws.judge import call_of
from conformance.laws.operation_subject import OperationSubject
from conformance.messages import format_error, printable
from conformance.operations.row import Operation
from conformance.operations.samples import Sample, samples
from conformance.plots.model import Curve, CurvePlace, ModeCurve
from conformance.protocol.types import Program
from conformance.recording_adapter import FeatureMissing

# The laws that compare a derivative at a point: a cell of theirs that fails has a plot.
PLOTTED = re.compile(
    r"(derivatives|exact_values)\..*|kinks\.(the_modes_agree_at_a_kink|a_gradient_at_a_kink_lies_between_.*)"
)

# The modes by order, as `outer` after `inner`.
MODES: Mapping[int, Mapping[str, tuple[Derivative, Derivative | None]]] = {
    1: {"reverse": (reverse, None), "forward": (forward, None)},
    2: {
        "reverse over reverse": (reverse, reverse),
        "forward over reverse": (forward, reverse),
        "reverse over forward": (reverse, forward),
        "forward over forward": (forward, forward),
    },
    3: {
        "reverse three times": (reverse, repeated(reverse, 2)),
        "forward three times": (forward, repeated(forward, 2)),
    },
}
# Parts of the window to each side, of numbers and of arrays, which cost more: even steps, and some close to the point.
PARTS = (1 / 10_000, 1 / 1000, 1 / 100, 1 / 32, 1 / 16, 3 / 32, *(k / 16 for k in range(2, 17)))
FEWER = (1 / 1000, 1 / 100, 1 / 16, 1 / 8, 3 / 16, *(k / 8 for k in range(2, 9)))
# Half of the window: of small numbers, of larger numbers relative to them, and of arrays.
WIDE, RELATIVE, OF_ARRAYS = 1.0, 0.3, 0.4
# The step of differences beside the point, which keep clear of it: their error is far below what can be seen.
STEP = differences.STEP / 400
ROUNDING = comparison.ROUNDING / 4
# Digits in which mpmath counts beside the point.
QUICK = 24
# Digits that a plot can show, where it is zoomed.
DIGITS = 8


class NoCurve(Exception):
    """There is no curve; the message says why."""


def sample_at(operation: Operation, place: CurvePlace) -> Sample | None:
    """The sample at a place; None if the table has none there."""
    every = chain(samples(operation), samples(operation, kinks=True))
    start = next((each for each in every if (each.at, each.variant) == (place.at, place.variant)), None)
    simpler = list(start.simpler()) if start else []
    return simpler[place.step] if place.step < len(simpler) else None


def place_of(sample: Sample, order: int) -> CurvePlace | None:
    """The place of a witness of a law; None if the table leads to no such point."""
    for step in range(8):
        place = CurvePlace(sample.operation.name, order, sample.at, sample.variant, step)
        other = sample_at(sample.operation, place)
        if other and other.single == sample.single and _equal(other, sample):
            return place
    return None


def _equal(sample: Sample, other: Sample) -> bool:
    return all(numpy.array_equal(x, y) for x, y in zip(sample.values, other.values, strict=True))


def order_of(law: str) -> int:
    """The order of the derivative that a law compares."""
    return 3 if "third" in law else 2 if "second" in law else 1


def curve(ad: Any, operation: Operation, place: CurvePlace) -> Curve:
    """The curve of an engine at a place: numbers near the point only where a mode is wrong.

    Raises NoCurve, what the engine raises for the operation itself, or FeatureMissing where it is not offered.
    """
    sample = sample_at(operation, place)
    if sample is None:
        raise NoCurve("the table has no such place")
    with without_warnings():
        return _Drawing(OperationSubject(ad, sample), place).curve()


class _Expected(NamedTuple):
    """The derivative at the point, or those of both sides of a kink, between which any is right."""

    sides: tuple[float, ...]
    error: float
    exact: bool

    def is_kept_by(self, got: float, tail: bool) -> bool:
        low, high = min(self.sides), max(self.sides)
        if low < got < high:
            return True
        near = low if got <= low else high
        return compared(got, near, "", self.error, 0.0 if tail else 1.0) is None


class _Drawing:
    """The functions of t, the distance from the point along the direction, that a curve is made of."""

    def __init__(self, subject: OperationSubject, place: CurvePlace) -> None:
        self.subject, self.sample, self.order, self.place = subject, subject.sample, place.order, place
        # All elements of a single sample are the same, and so are its outputs: the mean counts.
        outputs = subject.outputs(*subject.primals)
        self.count = sum(x.size for x in subject.numbers(outputs)) if self.sample.single else 1
        self.is_kink = place.at in {kink.kind for kink in subject.operation.kinks}
        # The directions are those of the laws.
        self.way = 0 if self.is_kink else 1
        self.by_truth = self.sample.single and place.variant == 0 and subject.operation.true_by_element

    def curve(self) -> Curve:
        expected = self._expected()
        modes = {mode: self._at_point(*derivatives) for mode, derivatives in MODES[self.order].items()}
        # A mode that the engine lacks is left out.
        there = {mode: got for mode, got in modes.items() if got is not None}
        tail = self.sample.in_tail
        agree = {mode: isinstance(got, str) or expected.is_kept_by(got, tail) for mode, got in there.items()}
        if self.is_kink:
            numbers = [got for got in there.values() if not isinstance(got, str)]
            # Any convention between the sides is right, but all modes have to follow the same.
            apart = any(compared(number, numbers[0], "", scale=1.0) for number in numbers)
            agree = {mode: ok and not apart for mode, ok in agree.items()}
        ts = [] if all(agree.values()) else list(self._window())
        curves = [self._mode(mode, got, agree[mode], ts) for mode, got in there.items()]
        return Curve(
            self.place,
            call_of(self.sample),
            [_text(side) for side in expected.sides],
            curves,
            expected.exact,
            self._origin(),
            ts,
            [_rounded(self._value, t) for t in ts],
            _rounded(self._value, 0.0) if ts else None,
            [_rounded(self._true, t) for t in ts],
        )

    def _mode(self, mode: str, got: float | str, agrees: bool, ts: list[float]) -> ModeCurve:
        if isinstance(got, str):
            return ModeCurve(mode, problem=got)
        function = self._derivative(*MODES[self.order][mode])
        return ModeCurve(mode, agrees, _text(got), values=[] if agrees else [_rounded(function, t) for t in ts])

    def _at_point(self, outer: Derivative, inner: Derivative | None) -> float | str | None:
        """The derivative at the point by a mode; the error that is raised; None if the engine lacks the mode."""
        try:
            return self._derivative(outer, inner)(0.0)
        except FeatureMissing:
            return None
        except Exception as error:
            return printable(format_error(error).partition("\n")[0][:160])

    def _derivative(self, outer: Derivative, inner: Derivative | None) -> Callable[[float], float]:
        program = outer(self.subject, self._program(inner), self.way)
        return self._less_cubes(self.subject.along(program, self.way))

    def _program(self, inner: Derivative | None) -> Program:
        """The program that is differentiated once more."""
        if self.order == 1 or inner is None:
            return self.subject.scalar
        return inner(self.subject, self.subject.cubic, 0)

    def _less_cubes(self, function: Callable[[float], float]) -> Callable[[float], float]:
        """The derivative of the operation alone, without the cubes that `cubic` adds to it; of a single element."""
        inner, outer = self.sample.directions(0), self.sample.directions(self.way)

        def alone(t: float) -> float:
            moved = (x + t * v for x, v in zip(self.sample.differentiated, outer, strict=True))
            cubes = {
                1: 0.0,
                2: sum(float(numpy.sum(x * v * w)) for x, v, w in zip(moved, outer, inner, strict=True)),
                3: sum(float(numpy.sum(v * w * w)) for v, w in zip(outer, inner, strict=True)),
            }
            whole, less = function(t), cubes[self.order]
            # Their rounding is no derivative.
            return 0.0 if abs(whole - less) <= ROUNDING * abs(less) else (whole - less) / self.count

        return alone

    def _value(self, t: float) -> float:
        return self.subject.along(self.subject.scalar, self.way)(t) / self.count

    def _expected(self) -> _Expected:
        """The derivative at the point."""
        if self.is_kink:
            left, right = differences.sides(self._value)
            return _Expected((left.value, right.value), max(left.error, right.error), False)
        if self.by_truth:
            return _Expected((self._exact(0.0),), 0.0, True)
        estimate = self._differences()
        return _Expected((estimate.value,), estimate.error, False)

    def _true(self, t: float) -> float:
        if self.by_truth:
            return self._exact(t, QUICK)
        lower, h = self._lower, min(STEP, abs(t) / 4)
        return self._less_cubes(lambda _: (lower(t + h) - lower(t - h)) / (2 * h))(t)

    def _exact(self, t: float, *digits: int) -> float:
        values, along = (
            [float(x[0]) for x in xs] for xs in (self.sample.differentiated, self.sample.directions(self.way))
        )
        point = [x + t * v for x, v in zip(values, along, strict=True)]
        return truth.derivative(self.subject.operation, point, along, self.order, *digits)

    def _differences(self) -> Estimate:
        """Central differences at the point of the derivative of an order less."""
        estimate = differences.central(self._lower)
        return Estimate(self._less_cubes(lambda _: estimate.value)(0.0), estimate.error / self.count)

    @cached_property
    def _lower(self) -> Callable[[float], float]:
        """The derivative of an order less, of which differences are taken: by the first mode that gives a number."""
        inner = dict.fromkeys(inner for _, inner in MODES[self.order].values())
        lower = [self.subject.along(self._program(derivative), self.way) for derivative in inner]
        return next((function for function in lower if _rounded(function, 0.0) is not None), lower[0])

    def _origin(self) -> float | None:
        values = self.sample.differentiated
        return float(values[0].ravel()[0]) if self.sample.single and len(values) == 1 else None

    def _window(self) -> Iterator[float]:
        """Distances on both sides of the point, in order, at which the arguments are within their domains."""
        operation, sample = self.subject.operation, self.sample
        size = max(float(numpy.max(numpy.abs(x), initial=0.0)) for x in sample.differentiated)
        wide, parts = (max(WIDE, RELATIVE * size), PARTS) if sample.single else (OF_ARRAYS, FEWER)
        bounds = [operation.arguments[at] for at in operation.differentiated]
        moving = list(zip(bounds, sample.differentiated, sample.directions(self.way), strict=True))
        for part in (*(-part for part in reversed(parts)), *parts):
            t = float(f"{wide * part:.{DIGITS}g}")
            if all(numpy.all((bound.low < x + t * v) & (x + t * v < bound.high)) for bound, x, v in moving):
                yield t


def _rounded(function: Callable[[float], float], t: float) -> float | None:
    """A value of a function, with the digits that can be seen; None where it is not finite."""
    try:
        value = float(function(t))
    except Exception:  # outside its domain, an engine or mpmath may raise anything
        return None
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _text(value: float) -> str:
    return repr(float(f"{value:.9g}"))
