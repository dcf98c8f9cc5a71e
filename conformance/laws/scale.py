"""Scale: derivatives at multiples of a point, and VJPs for multiples of a cotangent, near the ends of a dtype.

A multiple by a power of two has the same digits: results are multiples of each other, without a true value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared_each, first_of, largest
from conformance.laws.compositions import reverse
from conformance.laws.linearity import pulled_back, some_cotangent
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient, quantity, values
from conformance.laws.subject import NumPyArray
from conformance.protocol.types import Arrays

DOUBLE = "float64"
# Exponents are multiples of it: c to a degree such as a third is a power of two, too.
STEP = 6
# Binary digits to the ends of a dtype that are left to sums, and to what a rule multiplies first: half has few.
MARGINS = {DOUBLE: 12, "float32": 12, "float16": 2}
# The ends, and where squares and cubes of the numbers are beyond the ends.
PARTS = (1, 2, 3)
# Roundings that a computation may take, in units in the last place of the largest number.
UNITS = 2.0**12
# Of half precision, which has 11 binary digits, this much of the largest number.
COARSE = 0.25
NAMES = ("gradient", "second derivative")


@dataclass(frozen=True)
class Term:
    """Numbers that are multiplied by c to a power.

    `least` is a size by which rounding is measured, too; `noise` the part of it that rounding may leave of zero.
    """

    arrays: Sequence[NumPyArray]
    power: float
    least: float = 0.0
    noise: float = 0.0

    @property
    def size(self) -> float:
        """The size by which rounding is measured."""
        return max(largest(self.arrays), self.least)

    def exponents(self) -> Iterator[int]:
        """The binary exponents of the smallest and the largest number, zeros and what is left by rounding aside."""
        small = self.size * self.noise
        sizes = [numpy.abs(x[numpy.abs(x) > small]) for x in self.arrays]
        for edge in (x for part in sizes if part.size for x in (part.min(), part.max())):
            yield int(numpy.frexp(edge)[1])
        if self.least:
            yield int(numpy.frexp(self.least)[1])

    def scale(self, exponent: int) -> float:
        """The size of these."""
        return float(numpy.ldexp(self.size, round(exponent * self.power)))

    def at(self, exponent: int) -> list[NumPyArray]:
        """The numbers times c to the power, of c = 2^exponent."""
        # Not a product: the power of two may be beyond the dtype where the number times it is not.
        return [numpy.ldexp(x, round(exponent * self.power)) for x in self.arrays]


def exponents(terms: Iterable[Term], dtype: str) -> list[int]:
    """The exponents of c for which all terms stay normal numbers: those farthest to both ends, and parts of them."""
    limits = numpy.finfo(dtype)
    low, high = int(limits.minexp) + MARGINS[dtype], int(limits.maxexp) - MARGINS[dtype]
    least, most = low - high, high - low
    for term in terms:
        # A term that stays as it is sets no bound.
        for edge in term.exponents() if term.power else ():
            bounds = sorted(((low - edge) / term.power, (high - edge) / term.power))
            least, most = max(least, int(numpy.ceil(bounds[0]))), min(most, int(numpy.floor(bounds[1])))
    # Towards zero, so that each stays within the limits.
    every = {int(end / part / STEP) * STEP for end in (least, most) for part in PARTS}
    return sorted(every - {0})


def scales_with_its_degree(subject: OperationSubject, dtype: str) -> Difference | None:
    """Whether the derivatives at c x are those at x times c^(k-1) and c^(k-2), of an operation of degree k.

    Where the values themselves are not multiples, as they overflow, nothing is asked of the derivatives.
    """
    degree = subject.operation.degree_under(subject.sample.variant)
    at = _typed(subject, dtype)
    if degree is None or at is None:
        return None
    terms = list(_terms(at, degree, dtype))
    if not all(numpy.isfinite(x).all() for term in terms for x in term.arrays):
        return None
    return first_of(_at_multiple(at, terms, exponent, dtype) for exponent in exponents(terms, dtype))


def _typed(subject: OperationSubject, dtype: str) -> OperationSubject | None:
    """The subject in a dtype; None where a number is beyond its ends, or all are zero."""
    limits, numbers = numpy.finfo(dtype), numpy.concatenate([x.ravel() for x in subject.point])
    sizes = numpy.abs(numbers[numbers != 0])
    # By `not`, so that NaN is beyond the ends, too.
    if not sizes.size or not sizes.min() >= limits.tiny or not sizes.max() <= limits.max:
        return None
    # Rounded first: else the engine's point would have fewer digits than the one that is multiplied.
    rounded = tuple(_doubles(x.astype(dtype) for x in subject.point))
    at = OperationSubject(subject.ad, subject.sample.with_values(rounded), None if dtype == DOUBLE else dtype)
    # Cotangents of complex numbers are not of the subject's dtype, nor those of what is computed in a wider one, as the
    # magnitude of complex numbers is, of which there are no halves.
    return None if at.dtype and any(output.dtype != dtype for output in at.outline) else at


def _terms(at: OperationSubject, degree: float | tuple[float, ...], dtype: str) -> Iterator[Term]:
    """Point, cotangents, values, and first and second derivative, each with the power of c that it is multiplied by.

    Cotangents of outputs of lower degree are larger instead, so that all parts of a derivative are of one degree.
    """
    degrees = degree if isinstance(degree, tuple) else (degree,) * len(at.outline)
    by_part = [k for k, output in zip(degrees, at.outline, strict=True) for _ in range(1 + output.is_complex)]
    top = max(degrees)
    yield Term(at.point, 1)
    outputs, cotangents = _doubles(at.ask_numbers(values)), _doubles(at.numbers(at.cotangents))
    for k, cotangent, output in zip(by_part, cotangents, outputs, strict=True):
        yield Term([cotangent], top - k)
        yield Term([output], k)
    size, noise = largest(at.point), tolerance(dtype)
    first = _doubles(at.ask_numbers(gradient))
    products = (float(numpy.abs(x * y).sum()) for x, y in zip(outputs, cotangents, strict=True))
    yield Term(first, top - 1, sum(products) / size, noise)
    if at.operation.order > 1:
        yield Term(_doubles(at.ask_numbers(second)), top - 2, largest(first) / size, noise)


def _at_multiple(at: OperationSubject, terms: Sequence[Term], exponent: int, dtype: str) -> Difference | None:
    point, *pairs = terms
    # Before them, `_terms` has a cotangent and a value of each part.
    derivatives = pairs[2 * len(at.cotangents) :]
    cotangents, outputs = (
        [x for term in pairs[start : -len(derivatives) : 2] for x in term.at(exponent)] for start in (0, 1)
    )
    moved = at.moved_to(point.at(exponent)).with_cotangents(cotangents)
    if compared_each(_doubles(moved.ask_numbers(values)), outputs, relative=tolerance(dtype)):
        return None
    what = f"times 2^{exponent} in {dtype}"
    # Not strict: where an operation has a first derivative only, there is no second term.
    for name, wanted, term in zip(NAMES, (gradient, second), derivatives, strict=False):
        got = _doubles(moved.ask_numbers(wanted))
        if difference := compared_each(
            got, term.at(exponent), f"{name} at the point {what}", 0.0, term.scale(exponent), tolerance(dtype)
        ):
            return difference
    return None


def scales_with_its_cotangent(subject: OperationSubject, dtype: str) -> Difference | None:
    """Whether the VJP for a cotangent times a power of two is the VJP times the power."""
    at = _typed(subject, dtype)
    if at is None:
        return None
    cotangent = some_cotangent(at, 0)
    term = Term(at.ask_numbers(pulled_back, cotangent), 1, noise=tolerance(dtype))
    if not all(numpy.isfinite(x).all() for x in term.arrays):
        return None

    def at_multiple(exponent: int) -> Difference | None:
        got = at.ask_numbers(pulled_back, cotangent * 2.0**exponent)
        what = f"VJP for the cotangent times 2^{exponent} in {dtype}"
        return compared_each(got, term.at(exponent), what, 0.0, term.scale(exponent), tolerance(dtype))

    return first_of(map(at_multiple, exponents([Term([cotangent], 1), term], dtype)))


def tolerance(dtype: str) -> float:
    """The rounding that is allowed, beside the largest number."""
    return min(UNITS * float(numpy.finfo(dtype).eps), COARSE)


def _doubles(arrays: Iterable[Any]) -> list[NumPyArray]:
    return [x.astype("complex128" if x.dtype.kind == "c" else "float64", copy=False) for x in arrays]


def _is_asked_twice(at: Any) -> bool:
    operation = at.operation
    return operation.order > 1 and (operation.degree is not None or (operation.true_by_component and not at.dtype))


@quantity(concerns=_is_asked_twice, typed=True)
def second(at: Any) -> Arrays:
    """The second derivative along direction 0: the gradient of the derivative along it."""
    return tuple(at.ad.grad(reverse(at, at.connected, 0), at.argnums)(*at.primals))
