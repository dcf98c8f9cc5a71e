"""Elementwise operations: the derivative by an element depends neither on its place nor on the elements beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared, first_of
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.quantity import Quantity, quantity, register
from conformance.laws.subject import NumPyArray, Subject
from conformance.protocol.types import Array, Arrays, Program

# One element, odd numbers, and more than a vector register, and a block of several, have. A point has 3 elements.
LENGTHS = (1, 17, 33, 70)
# Beside numbers: what no sum or product over all elements survives.
SPOILERS = (float("nan"), float("inf"), float("-inf"))


def _is_elementwise(at: Any) -> bool:
    return bool(at.operation.elementwise)


def _is_differentiable_twice(at: Any) -> bool:
    return _is_elementwise(at) and at.operation.order > 1


def _combined(at: Subject, *xs: Array) -> Array:
    """All outputs as one array, each times another number."""
    return sum(part * float(weight) for weight, (_, part) in enumerate(at.parts(*xs), 1))


def _curved(at: Subject, *xs: Array) -> Array:
    """The same, and a cube of each argument: as `Subject.cubic`, element by element."""
    return sum((x * x * x * (1 / 6) for x in xs), _combined(at, *xs))


def _tangents(at: Subject, xs: Sequence[Array]) -> list[Array]:
    """Equal tangents for all elements of an argument, and others for another argument."""
    return [at.array(numpy.full(tuple(x.shape), float(number))) for number, x in enumerate(xs, 1)]


def _by_reverse(at: Subject, program: Callable[..., Array], xs: Sequence[Array]) -> Arrays:
    def total(*xs: Array) -> Array:
        results = program(at, *xs)
        # No bare sum: its cotangent is an expanded array, and layouts of cotangents are another law.
        return at.ad.np.sum(results * at.array(numpy.ones(tuple(results.shape))))

    return tuple(at.ad.grad(total, at.argnums)(*xs))


def _by_forward(at: Subject, program: Program, xs: Sequence[Array]) -> Array:
    output, tangent = at.ad.jvp(program, tuple(xs), tuple(_tangents(at, xs)))
    # A tape's output that no dual number has reached has none.
    return output * 0.0 if tangent is None else tangent


def gradient_of_elements(at: Subject, *xs: Array) -> Arrays:
    """The gradient by each element, in reverse mode."""
    return _by_reverse(at, _combined, xs)


def tangent_of_elements(at: Subject, *xs: Array) -> Arrays:
    """The derivative of each element along the tangents, in forward mode."""
    return [_by_forward(at, lambda *xs: _combined(at, *xs), xs)]


def second_by_reverse(at: Subject, *xs: Array) -> Arrays:
    """The second derivative by each element, by reverse over reverse mode."""
    return _by_reverse(at, _along, xs)


def second_by_both(at: Subject, *xs: Array) -> Arrays:
    """The second derivative of each element, by forward over reverse mode."""
    return [_by_forward(at, lambda *xs: _along(at, *xs), xs)]


def _along(at: Subject, *xs: Array) -> Array:
    """The first derivative of each element along the tangents."""
    parts = zip(_by_reverse(at, _curved, xs), _tangents(at, xs), strict=True)
    return sum(x * v for x, v in parts)


OF_ELEMENTS = {
    # The point is an extra, so that it can be asked with other numbers in its place.
    compute: quantity(lambda at: at.point, concerns)(compute)
    for compute, concerns in (
        (gradient_of_elements, _is_elementwise),
        (tangent_of_elements, _is_elementwise),
        (second_by_reverse, _is_differentiable_twice),
        (second_by_both, _is_differentiable_twice),
    )
}


def agrees_beside(subject: OperationSubject, compute: Callable[..., Arrays]) -> Difference | None:
    """Whether a derivative of the other elements is as before where the first is NaN or infinite."""
    derivative = OF_ELEMENTS[compute]
    expected = subject.ask_numbers(derivative)
    return first_of(_agrees_beside(subject, derivative, expected, spoiler) for spoiler in _spoilers(subject))


def _spoilers(subject: OperationSubject) -> list[float]:
    arguments = [subject.operation.arguments[at] for at in subject.operation.differentiated]
    # Outside of its domain, an operation may raise an error. NaN is nowhere outside.
    return [x for x in SPOILERS if numpy.isnan(x) or all(argument.holds(x) for argument in arguments)]


def _agrees_beside(
    subject: OperationSubject, derivative: Quantity, expected: Sequence[NumPyArray], spoiler: float
) -> Difference | None:
    spoilt = [numpy.concatenate([[spoiler], x[1:]]) for x in subject.point]
    got = subject.ask_numbers(derivative, *spoilt)
    what = f"derivative beside an element that is {spoiler}"
    pairs = zip(got, expected, strict=True)
    # Without the spoilt element itself, whose derivative may be anything.
    return first_of(compared(x[1:], y[1:], what, subject.rounding) for x, y in pairs)


def _of_length(compute: Callable[..., Arrays], length: int) -> Quantity:
    def extras(at: Any) -> Sequence[NumPyArray]:
        # The function repeats the numbers, where the method of arrays would fill up with zeros.
        return [numpy.resize(x, length) for x in at.point]

    return Quantity(f"{compute.__name__}, of {length}", compute, extras, _is_elementwise)


OF_LENGTH = {
    (compute, length): register(_of_length(compute, length))
    for compute in (gradient_of_elements, tangent_of_elements)
    for length in LENGTHS
}


def agrees_at_all_lengths(subject: OperationSubject, compute: Callable[..., Arrays]) -> Difference | None:
    """Whether the same numbers, repeated, have the same derivatives in arrays of other lengths.

    So have NaN and infinities, whose derivative may be anything: loops over registers compare otherwise than the loop
    over the rest. They are given at ordinary points, each in one argument.
    """
    expected = subject.ask_numbers(OF_ELEMENTS[compute])
    spoilers = () if subject.sample.point else _spoilers(subject)
    return first_of(_agrees_at(subject, compute, expected, length) for length in LENGTHS) or first_of(
        _agrees_in_each_place(subject, compute, at, spoiler) for at in range(len(subject.point)) for spoiler in spoilers
    )


def _agrees_in_each_place(
    subject: OperationSubject, compute: Callable[..., Arrays], argument: int, spoiler: float
) -> Difference | None:
    length = LENGTHS[-1]
    numbers = [spoiler if at == argument else x[0] for at, x in enumerate(subject.point)]
    got = subject.ask_numbers(OF_LENGTH[compute, length], *(numpy.full(length, x) for x in numbers))
    what = f"derivative in an array of {length} elements that are {spoiler}"
    return first_of(compared(x, numpy.full_like(x, x[0]), what, subject.rounding) for x in got)


def _agrees_at(
    subject: OperationSubject, compute: Callable[..., Arrays], expected: Sequence[NumPyArray], length: int
) -> Difference | None:
    got = subject.ask_numbers(OF_LENGTH[compute, length])
    what = f"derivative in an array of {length} elements"
    count = subject.point[0].size
    # Each number is compared with itself: beside a large one, a small one may be anything.
    return first_of(
        compared(x[at::count], numpy.full_like(x[at::count], y[at]), what, subject.rounding)
        for x, y in zip(got, expected, strict=True)
        # A shorter array has the first numbers only.
        for at in range(min(count, length))
    )
