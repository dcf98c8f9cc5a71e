"""Single and half precision: gradients beside those in double precision, within what their rounding explains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from conformance.laws.comparison import Difference, compared_each
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import gradient, quantity, values
from conformance.laws.subject import Subject
from conformance.operations.samples import NumPyArray, Sample
from conformance.protocol.types import Arrays

# The distance from 1 to the next number in single precision.
SINGLE = float(numpy.finfo("float32").eps)
# A tenth of the error that passes in single precision: a few hundred units in the last place.
TENTH = 30 * SINGLE


@dataclass(frozen=True)
class Half:
    """A format of 16 bits: the binary digits of its numbers, with the digit that is not stored, and its exponents."""

    name: str
    digits: int
    exponents: tuple[int, int]

    @property
    def eps(self) -> float:
        """The distance from 1 to the next number."""
        return float(2.0 ** (1 - self.digits))

    def rounded(self, x: NumPyArray) -> NumPyArray:
        """The nearest numbers of the format, as doubles."""
        return with_digits(x, self.digits)

    @property
    def smallest(self) -> float:
        """The smallest number that is not zero."""
        return float(2.0 ** (self.exponents[0] + 1 - self.digits))

    def reaches(self, x: NumPyArray) -> bool:
        """Whether none is beyond the largest number."""
        return _size(x) < 2.0 ** self.exponents[1]

    def holds(self, x: NumPyArray) -> bool:
        """Whether all are zero, or normal numbers."""
        low, high = self.exponents
        # NaN is neither larger nor smaller.
        return bool(numpy.all((x == 0) | ((numpy.abs(x) >= 2.0**low) & (numpy.abs(x) < 2.0**high))))


def with_digits(x: NumPyArray, digits: int) -> NumPyArray:
    """The nearest numbers with that number of binary digits."""
    fraction, exponent = numpy.frexp(x)
    rounded: NumPyArray = numpy.ldexp(numpy.round(numpy.ldexp(fraction, digits)), exponent - digits)
    return rounded


FLOAT16, BFLOAT16 = Half("float16", 11, (-14, 16)), Half("bfloat16", 8, (-126, 128))


def agrees_in_single_precision(subject: OperationSubject) -> Difference | None:
    """Whether the gradient in single precision is that in double precision, up to a few hundred roundings."""
    single = OperationSubject(subject.ad, subject.sample, "float32")
    got, expected = (at.ask_numbers(gradient) for at in (single, subject))
    rounding = TENTH * max(float(numpy.max(numpy.abs(x), initial=1.0)) for x in expected)
    return compared_each(got, expected, "gradient in single precision", error=rounding)


def agrees_in_half_precision(subject: OperationSubject, half: Half) -> Difference | None:
    """Whether the gradient in half precision is that in double precision at the same numbers.

    The estimated error is a rounding of the result, and what rounding within the computation does to it: the error
    in single precision, times how much coarser half precision is. Ten times that is allowed, as everywhere. Where
    values or the gradient are too large for the format, infinity is right.
    """
    sample = subject.sample
    point = sample.with_values(tuple(half.rounded(x) for x in sample.differentiated))
    expected, single, got = (_gradient(subject, point, dtype) for dtype in ("float64", "float32", half.name))
    if not all(map(half.reaches, (*expected, *OperationSubject(subject.ad, point).ask_numbers(values)))):
        return None
    rounded = half.eps * max(map(_size, expected)) + half.smallest
    error = half.eps / SINGLE * max(_size(x - y) for x, y in zip(single, expected, strict=True))
    return compared_each(got, expected, f"gradient in {half.name}", error=rounded + error)


def agrees_at_a_special_point(subject: OperationSubject, half: Half) -> Difference | None:
    """The same at a special point that the format has, with values and a gradient that it has.

    There a rule may divide first, or overflow in between. Where single precision does so too, any infinity passes.
    """
    at = subject.moved_to([half.rounded(x) for x in subject.point])
    # Of numbers beside 1 the nearest is 1, which may be an end of the domain, or a kink.
    same = all(
        half.holds(x) and numpy.array_equal(x == 1, y == 1) for x, y in zip(at.point, subject.point, strict=True)
    )
    # Values may be smaller than any number of the format, and so zero.
    return agrees_in_half_precision(subject, half) if same and all(map(half.holds, at.ask_numbers(gradient))) else None


def _gradient(subject: OperationSubject, sample: Sample, dtype: str) -> list[NumPyArray]:
    """The gradient in a precision, as doubles."""
    return OperationSubject(subject.ad, sample, dtype).ask_numbers(gradient_as_doubles)


@quantity(typed=True)
def gradient_as_doubles(at: Subject) -> Arrays:
    """The gradient in double precision: not every NumPy knows bfloat16."""
    return tuple(at.ad.cast(x, "float64") for x in at.gradient)


def _size(x: NumPyArray) -> float:
    return float(numpy.max(numpy.abs(x), initial=0.0))
