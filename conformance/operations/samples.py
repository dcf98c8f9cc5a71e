"""An operation at a point: the numbers of its arguments, drawn from a seed, and the values of its options."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy

from conformance.operations.row import Argument, Operation, Point, RowError

__all__ = ["GENERIC", "Sample", "generic", "numbers_of", "samples"]

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
GENERIC = "generic point"
# Elements of an argument of an elementwise operation.
WIDTH = (3,)
# How far numbers without a bound are drawn, and how far from a bound they begin.
SPAN, MARGIN = 2.4, 0.3
# A draw is this far from every kink of an elementwise operation: far more than differences take a step.
CLEAR = 0.15
# How much nearer to zero a neighbour of given numbers lies, at most.
SHRINK = 0.02
# After this number of draws there is no room between the kinks.
DRAWS = 1000


@dataclass(frozen=True)
class Sample:
    """One point of an operation. `at` is its kind, `attempt` counts neighbouring points of the same kind."""

    operation: Operation
    options: Mapping[str, Any]
    values: tuple[NumPyArray, ...]
    at: str = GENERIC
    variant: int = 0
    attempt: int = 0
    point: Point | None = None
    seed: int = 0
    single: bool = False

    @property
    def differentiated(self) -> tuple[NumPyArray, ...]:
        """The numbers of the arguments that are differentiated."""
        return tuple(self.values[position] for position in self.operation.differentiated)

    @property
    def in_tail(self) -> bool:
        """Whether the point is so far out that a derivative is tiny, and is to be right as it is."""
        return "tail" in self.at

    def neighbour(self) -> Sample:
        """Another point of the same kind."""
        found = _sample(self.operation, self.variant, self.point, self.attempt + 1, self.seed)
        return found.first() if self.single else found

    def first(self) -> Sample:
        """The first element alone, which of a special point is the special one: in the place of all elements.

        Arrays keep their shape, so that an engine that compiles a program for each shape need not do so again.
        """
        return replace(self, values=tuple(map(_filled, self.values)), single=True)

    def directions(self, number: int) -> tuple[NumPyArray, ...]:
        """A direction for each argument that is differentiated: the same for the same number.

        For one element they are (1, 2, ...), and the cotangent is 1, so that what is told is a derivative as people
        know it. Not (1, 1): the second derivative of a homogeneous function is zero along that at equal arguments.
        """
        if self.single:
            return tuple(numpy.full_like(value, at) for at, value in enumerate(self.differentiated, 1))
        random = self._random(f"direction {number}")
        return tuple(_direction(random, value) for value in self.differentiated)

    def cotangent(self, number: int, shape: tuple[int, ...]) -> NumPyArray:
        """A cotangent for the output of that number."""
        if self.single:
            return numpy.ones(shape)
        return _direction(self._random(f"cotangent {number}"), numpy.empty(shape))

    def simpler(self) -> Iterator[Sample]:
        """The same point with fewer digits, and of an elementwise operation with one element: the simplest first."""
        for start in (self.first(), self) if self.operation.elementwise else (self,):
            for digits in (0, 1, 2):
                values = [_rounded(value, digits) for value in start.differentiated]
                if all(
                    numpy.array_equal(_pattern(x), _pattern(y))
                    for x, y in zip(start.differentiated, values, strict=True)
                ):
                    yield start.with_values(tuple(values))
            yield start

    def with_values(self, values: tuple[NumPyArray, ...]) -> Sample:
        """The same with other numbers for the arguments that are differentiated."""
        known = dict(zip(self.operation.differentiated, values, strict=True))
        return replace(self, values=tuple(known.get(at, value) for at, value in enumerate(self.values)))

    def _random(self, purpose: str) -> numpy.random.Generator:
        return _generator(self.operation, purpose, self.variant, self.attempt, self.seed)


def _filled(value: NumPyArray) -> NumPyArray:
    return numpy.full_like(value, value.ravel()[0])


def _rounded(value: NumPyArray, digits: int) -> NumPyArray:
    """The numbers with that number of digits; what is large or tiny, such as a tail, stays as it is."""
    with_digits = numpy.round(value, digits)
    return numpy.where((numpy.abs(value) < 10) & (numpy.abs(value) > 0.01), with_digits, value)


def _pattern(value: NumPyArray) -> NumPyArray:
    """Which of the numbers are equal, to each other or to an integer that matters: a rounded point keeps its kind."""
    flat = value.ravel()
    return numpy.concatenate([(flat[:, None] == flat[None, :]).ravel(), flat == 0, flat == 1])


def generic(operation: Operation, variant: int = 0, seed: int = 0) -> Sample:
    """A generic point of an operation, with the options of that variant."""
    return _sample(operation, variant, None, 0, seed)


def samples(operation: Operation, *, smooth: bool = True, kinks: bool = False, seed: int = 0) -> Iterator[Sample]:
    """A generic point for each variant of the options; then `smooth` special points and `kinks`, of the first one."""
    if not kinks:
        yield from (generic(operation, variant, seed) for variant in range(len(operation.options)))
    points = (*(operation.smooth if smooth else ()), *(operation.kinks if kinks else ()))
    yield from (_sample(operation, 0, point, 0, seed) for point in points)


def numbers_of(operation: Operation, *, tails: bool = True, seed: int = 0) -> Iterator[Sample]:
    """The points of an elementwise operation with its first options, each of one number per argument."""
    found = (one for one in samples(operation, seed=seed) if one.variant == 0)
    return (one.first() for one in found if tails or not one.in_tail)


def _sample(operation: Operation, variant: int, point: Point | None, attempt: int, seed: int) -> Sample:
    kind = point.kind if point else GENERIC
    random = _generator(operation, kind, variant, attempt, seed)
    special = iter(point.values if point else ())
    kinks = [numpy.asarray(kink.values) for kink in operation.kinks] if operation.elementwise else []
    values = []
    for position, argument in enumerate(operation.arguments):
        if argument.is_given:
            values.append(numpy.asarray(argument.given))
            continue
        if argument.near is not None:
            values.append(_moved(random, argument.near) if attempt else argument.near)
            continue
        drawn = _drawn(random, argument, [kink[position] for kink in kinks if numpy.ndim(kink) == 1])
        values.append(_placed(drawn, next(special), argument) if point else drawn)
    return Sample(operation, operation.options[variant], tuple(values), kind, variant, attempt, point, seed)


def _placed(drawn: NumPyArray, special: Any, argument: Argument) -> NumPyArray:
    """The special numbers: all of an array, or the first element of a drawn one where the operation is elementwise."""
    if argument.shape is not None:
        return numpy.broadcast_to(numpy.asarray(special, dtype="float64"), argument.shape).copy()
    drawn[0] = special
    return drawn


def _moved(random: numpy.random.Generator, near: NumPyArray) -> NumPyArray:
    """Each number a little nearer to zero: what is special of a zero, a sign or a limit of the size stays."""
    return numpy.asarray(near * (1 - SHRINK * (0.5 + 0.5 * random.random(near.shape))))


def _drawn(random: numpy.random.Generator, argument: Argument, kinks: list[Any]) -> NumPyArray:
    shape = WIDTH if argument.shape is None else argument.shape
    if argument.draw:
        return numpy.asarray(argument.draw(random, shape), dtype="float64")
    for _ in range(DRAWS):
        found = _spread(random, argument, shape)
        if all(numpy.min(numpy.abs(found - kink), initial=1.0) >= CLEAR for kink in kinks):
            return found
    raise RowError(f"no point of ({argument.low}, {argument.high}) is {CLEAR} away from all kinks: give another domain")


def _spread(random: numpy.random.Generator, argument: Argument, shape: tuple[int, ...]) -> NumPyArray:
    """Numbers spread over the domain, each away from the others, in random order: no two are tied by chance."""
    low, high = _window(argument.low, argument.high)
    count = int(numpy.prod(shape))
    steps = (random.permutation(count) + 0.5 + 0.5 * (random.random(count) - 0.5)) / max(count, 1)
    return (low + (high - low) * steps).reshape(shape)


def _window(low: float, high: float) -> tuple[float, float]:
    """Where numbers of an interval are drawn: away from its ends, and near zero where it has none."""
    if low == -high == -numpy.inf:
        return -SPAN / 1.2, SPAN / 1.2
    if high == numpy.inf:
        return low + MARGIN, low + MARGIN + SPAN
    if low == -numpy.inf:
        return high - MARGIN - SPAN, high - MARGIN
    return low + 0.1 * (high - low), high - 0.1 * (high - low)


def _direction(random: numpy.random.Generator, like: NumPyArray) -> NumPyArray:
    """Numbers between 0.5 and 1 with random signs: none is lost beside another."""
    signs = numpy.where(random.random(like.shape) < 0.5, -1.0, 1.0)
    return signs * (0.5 + 0.5 * random.random(like.shape))


def _generator(operation: Operation, purpose: str, variant: int, attempt: int, seed: int) -> numpy.random.Generator:
    # By name, so that a row that is added changes no other.
    return numpy.random.default_rng([zlib.crc32(f"{operation.name} {purpose}".encode()), variant, attempt, seed])
