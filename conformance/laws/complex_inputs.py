"""Operations of complex numbers, as programs of a real array that moves the real or the imaginary part of the input."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, first_of, shown
from conformance.laws.compositions import FORWARD, REVERSE, Composition
from conformance.laws.judge import beside_differences
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, register
from conformance.laws.subject import Subject
from conformance.laws.truth import complex_derivative
from conformance.mismatch import Mismatch
from conformance.operations import Cases, of_complex_numbers
from conformance.operations.row import Operation
from conformance.operations.samples import NumPyArray, Sample, generic
from conformance.protocol.types import Array, Arrays
from conformance.trial import current
from conformance.verdicts import Witness

# Functions of complex numbers that have no complex derivative.
NOT_HOLOMORPHIC = ("abs", "sign", "softsign")
# Those whose derivative is a real constant, which is its own conjugate.
REAL_DERIVATIVE = ("add", "subtract", "positive", "negative")

# The part of the input that does not move.
OTHER = 0.5


# Directions of the complex plane in which the input moves: the factor of the number, and the part that stays.
PARTS: dict[str, tuple[complex, complex]] = {"real": (1.0, OTHER * 1j), "imaginary": (1j, OTHER)}


def agrees_for_both_parts(subject: OperationSubject, mode: Composition) -> Difference | None:
    """Whether the derivatives by the real and by the imaginary part of the inputs are those of differences."""
    return first_of(_agrees_for(subject, mode, part) for part in PARTS)


def _agrees_for(subject: OperationSubject, mode: Composition, part: str) -> Difference | None:
    (got,) = subject.ask_numbers(MOVING[part, mode])

    def line(t: float) -> float:
        at = subject.moved_to([x + t * v for x, v in zip(subject.point, subject.direction(1), strict=True)])
        return at.number(at.ask(MOVING[part, None])[0])

    return beside_differences(subject, float(got), line)


def _moving(part: str, mode: Composition | None) -> Quantity:
    """The scalar of real numbers that move a part of the inputs; or its derivative along direction 1."""
    factor, constant = PARTS[part]

    def compute(at: Subject) -> Arrays:
        def program(*xs: Array) -> Array:
            return at.scalar(*(x * factor + constant for x in xs))

        moved = mode.modes[0](at, program, 1) if mode else program
        return [moved(*at.primals)]

    name = f"{mode} by the {part} part" if mode else f"value by the {part} part"
    return register(Quantity(name, compute, concerns=lambda at: at.operation.complex))


MOVING = {(part, mode): _moving(part, mode) for part in PARTS for mode in (None, REVERSE, FORWARD)}


def holomorphic(*, real_derivative: bool = True) -> Cases:
    """The functions of complex numbers that have a complex derivative; or those of which it is not always real."""
    left_out = {*NOT_HOLOMORPHIC, *(() if real_derivative else REAL_DERIVATIVE)}
    return of_complex_numbers().where(lambda row: row.true_by_element and row.name not in left_out)


def the_convention_of(ad: Any, operation: Operation) -> str:
    """Which of the two conventions the VJP of an operation of complex numbers follows. Raises Mismatch if neither."""
    sample = _complex(generic(operation))
    subject = OperationSubject(ad, sample)
    current().assertions += 1
    output, pullback = ad.vjp(lambda *zs: subject.outputs(*zs)[0], *subject.primals)
    cotangent = sample.cotangent(1, tuple(output.shape)) + 1j * sample.cotangent(2, tuple(output.shape))
    got = subject.numbers(pullback(subject.array(cotangent)))
    true = _derivatives(sample)
    expected = {
        "conjugated": [cotangent * numpy.conj(x) for x in true],
        "unconjugated": [cotangent * x for x in true],
    }
    followed = [name for name, each in expected.items() if _differ(got, each) is None]
    if followed:
        return followed[0]
    difference = _differ(got, expected["conjugated"])
    assert difference is not None
    raise Mismatch.of(Witness(difference.got, f"{difference.expected} or its conjugate", "VJP", _place_of(sample)))


def is_the_complex_derivative(ad: Any, operation: Operation) -> None:
    """Raise Mismatch where the holomorphic gradient of the sum of an operation is not its complex derivative."""
    sample = _complex(generic(operation))
    subject = OperationSubject(ad, sample)
    current().assertions += 1
    gradient = ad.grad(lambda *zs: ad.np.sum(subject.outputs(*zs)[0]), subject.argnums, holomorphic=True)
    if difference := _differ(subject.numbers(gradient(*subject.primals)), _derivatives(sample)):
        raise Mismatch.of(Witness(difference.got, difference.expected, "holomorphic gradient", _place_of(sample)))


def _complex(sample: Sample) -> Sample:
    """The point, moved off the real axis."""
    values = zip(sample.differentiated, sample.directions(1), strict=True)
    return sample.with_values(tuple(x + OTHER * 1j * y for x, y in values))


def _derivatives(sample: Sample) -> list[NumPyArray]:
    """By each argument, of each element."""
    points = list(zip(*sample.differentiated, strict=True))
    return [
        numpy.array([complex_derivative(sample.operation, point, at) for point in points])
        for at in range(len(sample.differentiated))
    ]


def _differ(got: list[NumPyArray], expected: list[NumPyArray]) -> Difference | None:
    """The first array that differs from what is expected."""
    for x, y in zip(got, expected, strict=True):
        parts = (compared(part(x), part(y), "", scale=float(abs(y).max())) for part in (numpy.real, numpy.imag))
        if first_of(parts):
            return Difference("numbers", shown(x), shown(y))
    return None


def _place_of(sample: Sample) -> str:
    return f"{sample.operation.name}({', '.join(str(x.tolist()) for x in sample.differentiated)})"
