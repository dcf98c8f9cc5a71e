"""Functions of vectors: each number of a derivative is compared relatively with its true value, by mpmath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy

from conformance.laws.comparison import Difference, compared, first_of, largest
from conformance.laws.ends import LARGEST, SMALLEST
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, gradient, quantity
from conformance.laws.scale import second
from conformance.laws.subject import NumPyArray
from conformance.laws.truth import function_of
from conformance.operations.samples import Sample
from conformance.protocol.types import Array, Arrays

# Decimal digits before the first of the smallest normal number, and of a derivative at an ordinary point.
MOST, LEAST = 320, 25
# Units in the last place of the largest number that a small one may be lost in.
UNITS = 64
EPS, MANY = float(numpy.finfo("float64").eps), 2.0**20

# Of numbers of mpmath.
Vector: TypeAlias = "numpy.ndarray[Any, Any]"
Exact: TypeAlias = Callable[["TrueFunction"], list[Vector]]


@quantity(concerns=lambda at: at.operation.true_by_component)
def tangents(at: Any) -> Arrays:
    """The tangent of each output along direction 0."""

    # One by one: not every engine has a JVP of several outputs.
    def tangent(number: int) -> Array:
        output, tangent = at.ad.jvp(lambda *xs: at.parts(*xs)[number][1], at.primals, at.directions(0))
        return output * 0.0 if tangent is None else tangent

    return [tangent(number) for number in range(len(at.outline))]


class TrueFunction:
    """The function of a sample in mpmath's numbers, for derivatives by central differences.

    `rounding`: inputs and cotangents are changed by about that much.
    """

    def __init__(self, sample: Sample, mp: Any, rounding: float = 0.0) -> None:
        self._sample, self._mp, self._rounding = sample, mp, rounding
        self._random = numpy.random.default_rng(0)
        self._function = function_of(sample.operation, mp)
        self._values = [self._exact(x) if x.dtype.kind == "f" else x for x in sample.values]
        self.point = [self._values[at] for at in sample.operation.differentiated]
        self._direction = [_objects(mp, x) for x in sample.directions(0)]
        # Its square is beyond the digits of interest, and it is a small part of the smallest number.
        self._step = mp.mpf(10) ** -(_digits(sample) // 2 + 5) * min(_sizes(sample))
        self._cotangents = [self._exact(sample.cotangent(at, x.shape)) for at, x in enumerate(self.outputs(self.point))]

    def _exact(self, x: NumPyArray) -> Vector:
        factors = numpy.asarray(1 + self._rounding * self._random.uniform(-1, 1, x.shape))
        return _objects(self._mp, x) * _objects(self._mp, factors)

    def outputs(self, point: Sequence[Vector]) -> list[Vector]:
        """The outputs at a point."""
        known = dict(zip(self._sample.operation.differentiated, point, strict=True))
        values = [known.get(at, value) for at, value in enumerate(self._values)]
        outputs = self._function(*values, **self._sample.options)
        return [numpy.asarray(x, dtype=object) for x in (outputs if isinstance(outputs, tuple) else (outputs,))]

    def tangents(self) -> list[Vector]:
        """The derivative of each output along direction 0."""
        ahead, behind = (self.outputs(self._moved(self.point, sign)) for sign in (1, -1))
        return [(x - y) / (2 * self._step) for x, y in zip(ahead, behind, strict=True)]

    def gradient(self) -> list[Vector]:
        """The gradient of the outputs, each times its cotangent."""
        return self._gradient(self._scalar)

    def second(self) -> list[Vector]:
        """The gradient of the derivative along direction 0."""
        return self._gradient(lambda xs: self._scalar(self._moved(xs, 1)) - self._scalar(self._moved(xs, -1)), 2)

    def _scalar(self, point: Sequence[Vector]) -> Any:
        return sum(numpy.sum(x * w) for x, w in zip(self.outputs(point), self._cotangents, strict=True))

    def _moved(self, point: Sequence[Vector], sign: int) -> list[Vector]:
        return [x + v * (sign * self._step) for x, v in zip(point, self._direction, strict=True)]

    def _gradient(self, scalar: Callable[[Sequence[Vector]], Any], order: int = 1) -> list[Vector]:
        def partial(number: int, index: tuple[int, ...]) -> Any:
            def moved(sign: int) -> Any:
                point = [x.copy() for x in self.point]
                point[number][index] += sign * self._step
                return scalar(point)

            return (moved(1) - moved(-1)) / (2 * self._step) ** order

        results = [numpy.empty(x.shape, dtype=object) for x in self.point]
        for number, result in enumerate(results):
            for index in numpy.ndindex(result.shape):
                result[index] = partial(number, index)
        return results


def _objects(mp: Any, x: NumPyArray) -> Vector:
    return numpy.asarray(numpy.frompyfunc(mp.mpf, 1, 1)(x), dtype=object)


# Laws on an operation are tried one after the other, on one engine and then on its mutants.
@lru_cache(maxsize=256)
def _true(sample: Sample, exact: Exact, rounding: float) -> list[NumPyArray]:
    """The true numbers."""
    import mpmath  # only where a true value is asked for: it is slow to import

    # Differences of second order, each of a step that is half as many digits.
    with mpmath.workdps(2 * _digits(sample) + _span(sample) + 40):
        exact_numbers = exact(TrueFunction(sample, mpmath, rounding))
        rounded = (numpy.where(abs(x) < mpmath.mpf(10) ** -_digits(sample), 0.0, x) for x in exact_numbers)
        return [numpy.asarray(x, dtype="float64") for x in rounded]


def _changes(sample: Sample, exact: Exact) -> list[NumPyArray]:
    """Changes of the true numbers by roundings of the inputs."""
    # So large that the change is seen beside a true number that is rounded itself.
    true, other = (_true(sample, exact, rounding) for rounding in (0.0, MANY * EPS))
    return [abs(x - y) / MANY for x, y in zip(true, other, strict=True)]


def _sizes(sample: Sample) -> list[float]:
    """The magnitudes of its numbers, and 1."""
    return [1.0, *(abs(float(x)) for x in numpy.concatenate([x.ravel() for x in sample.differentiated]) if x)]


def _span(sample: Sample) -> int:
    """Decimal digits from the smallest number to the largest."""
    return int(numpy.log10(max(_sizes(sample))) - numpy.log10(min(_sizes(sample))))


def _digits(sample: Sample) -> int:
    """Decimal digits down to the smallest derivative of interest: exp(-2 x) has fewer than x."""
    return int(min(MOST, LEAST + max(_sizes(sample)) + 10 * _span(sample)))


def agrees_by_components(subject: OperationSubject, asked: Quantity) -> Difference | None:
    """Whether each number is true: relatively, up to what a rounding of the inputs changes.

    Beside the largest number of an array, a small one may be lost in rounding, but in a tail.
    """
    if not all(numpy.isfinite(x).all() for x in subject.point):
        return None
    what, exact = EXACT[asked]
    got = subject.ask_numbers(asked)

    def differs(errors: Sequence[NumPyArray]) -> Difference | None:
        triples = zip(got, _true(subject.sample, exact, 0.0), errors, strict=True)
        return first_of(_compared(subject, what, *triple) for triple in triples)

    # What a rounding of the inputs changes takes as long as the true numbers themselves, and is seldom asked for.
    return differs([numpy.zeros(x.shape) for x in got]) and differs(_changes(subject.sample, exact))


def _compared(
    subject: OperationSubject, what: str, got: NumPyArray, true: NumPyArray, errors: NumPyArray
) -> Difference | None:
    if got.shape != true.shape:
        return compared(got, true, what)
    rounding = UNITS * subject.rounding * max(1.0, largest([true]))
    return first_of(
        compared(got[at], true[at], f"component {at} of the {what}", float(errors[at]) + rounding)
        for at in numpy.ndindex(true.shape)
        if not (abs(true[at]) > LARGEST or (abs(true[at]) < SMALLEST and abs(got[at]) <= 2 * SMALLEST))
    )


EXACT: dict[Quantity, tuple[str, Exact]] = {
    gradient: ("gradient", TrueFunction.gradient),
    tangents: ("JVP", TrueFunction.tangents),
    second: ("second derivative", TrueFunction.second),
}
