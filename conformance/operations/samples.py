"""An operation at a point: the numbers of its arguments, drawn from a seed, and the values of its options."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy

from conformance.operations.row import Argument, Operation, Point, RowError

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
GENERIC = "generic point"
# Elements of an argument of an elementwise operation.
WIDTH = (3,)
# The window of numbers without a bound, and its distance from a bound.
SPAN, MARGIN = 2.4, 0.3
# A draw is this far from every kink of an elementwise operation: far more than differences take a step.
CLEAR = 0.15
# The largest part by which a neighbour of fixed numbers lies nearer to zero.
SHRINK = 0.02
# After this number of draws there is no room between the kinks.
DRAWS = 1000


@dataclass(frozen=True, eq=False)
class Sample:
    """A point of an operation. `at` is its kind, `attempt` counts neighbouring points of the same kind."""

    operation: Operation
    options: Mapping[str, Any]
    values: tuple[NumPyArray, ...]
    at: str = GENERIC
    variant: int = 0
    attempt: int = 0
    point: Point | None = None
    single: bool = False
    # Drawn once each.
    _directions: dict[int, tuple[NumPyArray, ...]] = field(default_factory=dict, init=False, repr=False)
    _cotangents: dict[tuple[int, tuple[int, ...]], NumPyArray] = field(default_factory=dict, init=False, repr=False)

    @property
    def differentiated(self) -> tuple[NumPyArray, ...]:
        """The numbers of the arguments that are differentiated."""
        return tuple(self.values[position] for position in self.operation.differentiated)

    @property
    def key(self) -> tuple[Any, ...]:
        """A key that no other sample of its operation has."""
        numbers = tuple(value.tobytes() for value in self.differentiated)
        return self.at, self.variant, self.attempt, self.single, numbers

    @property
    def in_tail(self) -> bool:
        """Whether the point is so far out that a derivative is tiny, and is compared without an absolute tolerance."""
        return "tail" in self.at

    def neighbour(self) -> Sample:
        """Another point of the same kind."""
        other = _sample(self.operation, self.variant, self.point, self.attempt + 1)
        return other.first() if self.single else other

    def first(self) -> Sample:
        """The sample with its first element, which is the special element of a special point, in place of all elements.

        Arrays keep their shape, so that an engine that compiles a program for each shape need not do so again.
        """
        return replace(self, values=tuple(map(_filled, self.values)), single=True)

    def directions(self, number: int) -> tuple[NumPyArray, ...]:
        """A direction for each argument that is differentiated: the same for the same number.

        Of a single element they are (1, 2, ...), and the cotangent is 1, so that messages have derivatives as people
        know them. Not (1, 1): the second derivative of a homogeneous function is zero along that at equal arguments.
        """
        if self.single:
            return tuple(numpy.full_like(value, at) for at, value in enumerate(self.differentiated, 1))
        if number not in self._directions:
            random = self._random(f"direction {number}")
            self._directions[number] = tuple(_direction(random, value) for value in self.differentiated)
        return self._directions[number]

    def cotangent(self, number: int, shape: tuple[int, ...]) -> NumPyArray:
        """A cotangent for the output of that number."""
        if self.single:
            return numpy.ones(shape)
        if (number, shape) not in self._cotangents:
            self._cotangents[number, shape] = _direction(self._random(f"cotangent {number}"), numpy.empty(shape))
        return self._cotangents[number, shape]

    def simpler(self) -> Iterator[Sample]:
        """The same point with fewer digits, and of an elementwise operation with a single element: the simplest first.

        The numbers that make the point special stay as they are.
        """
        special = self.point.values if self.point else ((),) * len(self.differentiated)
        for start in (self.first(), self) if self.operation.elementwise else (self,):
            for digits in (0, 1, 2):
                values = [_rounded(x, digits, kept) for x, kept in zip(start.differentiated, special, strict=True)]
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
        return _generator(self.operation, purpose, self.variant, self.attempt)


def _filled(value: NumPyArray) -> NumPyArray:
    return numpy.full_like(value, value.ravel()[0])


def _rounded(value: NumPyArray, digits: int, kept: Any) -> NumPyArray:
    """The numbers with that number of digits; what is large or tiny, or among those to be kept, stays as it is."""
    ordinary = (numpy.abs(value) < 10) & (numpy.abs(value) > 0.01) & ~numpy.isin(value, kept)
    return numpy.where(ordinary, numpy.round(value, digits), value)


def _pattern(value: NumPyArray) -> NumPyArray:
    """The pattern of numbers that are equal to each other, to 0 or to 1: a rounded point must keep its kind."""
    # Two equal elements are a tie, and 0 and 1 are where rules have special cases.
    flat = value.ravel()
    return numpy.concatenate([(flat[:, None] == flat[None, :]).ravel(), flat == 0, flat == 1])


def generic(operation: Operation, variant: int = 0) -> Sample:
    """A generic point of an operation, with the options of that variant."""
    return _sample(operation, variant, None, 0)


def at_point(operation: Operation, point: Point) -> Sample:
    """A point that is not in the table, as a sample."""
    return _sample(operation, point.variant, point, 0)


def samples(operation: Operation, *, smooth: bool = True, kinks: bool = False) -> Iterator[Sample]:
    """A generic point for each variant of the options; then `smooth` special points and `kinks` under theirs."""
    if not kinks:
        yield from (generic(operation, variant) for variant in range(len(operation.options)))
    points = (*(operation.smooth if smooth else ()), *(operation.kinks if kinks else ()))
    yield from (_sample(operation, point.variant, point, 0) for point in points)


def first_samples(operation: Operation) -> Iterator[Sample]:
    """A generic point for the first options, and the smooth special points under theirs."""
    return (sample for sample in samples(operation) if sample.point or sample.variant == 0)


def numbers_of(operation: Operation, *, tails: bool = True) -> Iterator[Sample]:
    """The finite points of an elementwise operation with its first options, each of one number per argument."""
    first = (sample.first() for sample in samples(operation) if sample.variant == 0)
    finite = (sample for sample in first if all(numpy.isfinite(x).all() for x in sample.differentiated))
    return (sample for sample in finite if tails or not sample.in_tail)


# As many samples as an operation has: its laws run one after the other.
@lru_cache(maxsize=64)
def _sample(operation: Operation, variant: int, point: Point | None, attempt: int) -> Sample:
    kind = point.kind if point else GENERIC
    random = _generator(operation, kind, variant, attempt)
    special = iter(point.values if point else ())
    kinks = [numpy.asarray(kink.values) for kink in operation.kinks] if operation.elementwise else []
    values = []
    for position, argument in enumerate(operation.arguments):
        if argument.is_given:
            values.append(numpy.asarray(argument.given))
            continue
        if argument.near is not None:
            # The numbers of an inventory are the point itself; only its neighbours are drawn.
            near = next(special) if point else argument.near
            values.append(_moved(random, near, together=bool(point)) if attempt else near)
            continue
        drawn = _drawn(random, argument, [kink[position] for kink in kinks if numpy.ndim(kink) == 1])
        values.append(_placed(drawn, next(special), argument) if point else drawn)
    return Sample(operation, operation.options[variant], tuple(values), kind, variant, attempt, point)


def _placed(drawn: NumPyArray, special: Any, argument: Argument) -> NumPyArray:
    """The special numbers: all of an array, or the first element of a drawn one where the operation is elementwise."""
    if argument.shape is not None:
        return numpy.broadcast_to(numpy.asarray(special, dtype="float64"), argument.shape).copy()
    drawn[0] = special
    return drawn


def _moved(random: numpy.random.Generator, near: NumPyArray, together: bool) -> NumPyArray:
    """Each number a little nearer to zero: a zero, a sign and a limit of the size are kept.

    `together`: of a special point, so that ties and ones are kept, too.
    """
    drawn = random.random() if together else random.random(near.shape)
    moved = near * (1 - SHRINK * (0.5 + 0.5 * drawn))
    return numpy.where(numpy.abs(near) == 1.0, near, moved) if together else numpy.asarray(moved)


def _drawn(random: numpy.random.Generator, argument: Argument, kinks: list[Any]) -> NumPyArray:
    shape = WIDTH if argument.shape is None else argument.shape
    if argument.draw:
        return numpy.asarray(argument.draw(random, shape), dtype="float64")
    for _ in range(DRAWS):
        numbers = _spread(random, argument, shape)
        if all(numpy.min(numpy.abs(numbers - kink), initial=1.0) >= CLEAR for kink in kinks):
            return numbers
    raise RowError(f"no point of ({argument.low}, {argument.high}) is {CLEAR} away from all kinks: give another domain")


def _spread(random: numpy.random.Generator, argument: Argument, shape: tuple[int, ...]) -> NumPyArray:
    """Numbers spread over the domain, each away from the others, in random order: no two are tied by chance."""
    low, high = _window(argument.low, argument.high)
    count = int(numpy.prod(shape))
    steps = (random.permutation(count) + 0.5 + 0.5 * (random.random(count) - 0.5)) / max(count, 1)
    return (low + (high - low) * steps).reshape(shape)


def _window(low: float, high: float) -> tuple[float, float]:
    """The part of an interval in which numbers are drawn: away from its ends, and near zero where it has none."""
    if low == -high == -numpy.inf:
        return -SPAN / 1.2, SPAN / 1.2
    if high == numpy.inf:
        return low + MARGIN, low + MARGIN + SPAN
    if low == -numpy.inf:
        return high - MARGIN - SPAN, high - MARGIN
    return low + 0.1 * (high - low), high - 0.1 * (high - low)


def _direction(random: numpy.random.Generator, like: NumPyArray) -> NumPyArray:
    """Numbers between 0.5 and 1 with random signs: in a sum none is lost in another's rounding."""
    signs = numpy.where(random.random(like.shape) < 0.5, -1.0, 1.0)
    return signs * (0.5 + 0.5 * random.random(like.shape))


def _generator(operation: Operation, purpose: str, variant: int, attempt: int) -> numpy.random.Generator:
    # Seeded by name, so that a new row changes no other.
    return numpy.random.default_rng([zlib.crc32(f"{operation.name} {purpose}".encode()), variant, attempt, seed()])


@cache
def seed() -> int:
    """The seed of all points: other ones for `operations --points`."""
    return int(os.environ.get("AUTOGRAD_CONFORMANCE_POINTS", "0"))
