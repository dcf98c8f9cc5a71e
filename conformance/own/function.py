"""A person's function as an operation: its point, the special points near it, and the precision it computes in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy

from conformance.laws.comparison import Coarseness, coarseness, without_warnings
from conformance.laws.differences import one_sided_agree, sides
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.precision import with_digits
from conformance.laws.subject import NumPyArray, numpy_of
from conformance.messages import first_line
from conformance.operations.row import Argument, Operation, Point
from conformance.operations.samples import at_point, generic
from conformance.own.arguments import OwnCall, UnusableInput

NAME = "f"
# Rounding of functions that compute in a lower precision than double, by the dtype.
ROUNDINGS = {
    "float32": Coarseness(1e-4, 16 * 2.0**-23, 8.0, (2, 4), 1e-2),
    "float16": Coarseness(5e-2, 16 * 2.0**-10, 16.0, (2, 4), 0.1),
    "bfloat16": Coarseness(0.2, 16 * 2.0**-7, 16.0, (2, 4), 0.5),
}
# Binary digits of the numbers of a dtype, the coarsest first.
DIGITS = {"bfloat16": 8, "float16": 11, "float32": 24}
# Special points: numbers of an argument by those at the point that is given.
SPECIAL: Mapping[str, Callable[[NumPyArray], NumPyArray]] = {
    "negated": lambda x: -x,
    "zeros": lambda x: 0.0 * numpy.abs(x),
    "negative zeros": lambda x: -0.0 * numpy.abs(x),
    "a zero": lambda x: _with_first(x, 0.0),
    "a tie": lambda x: _with_first(x, x.ravel()[-1]),
    "all equal": lambda x: numpy.full_like(x, x.ravel()[0]),
    "integers": numpy.round,
    "small": lambda x: x * 1e-3,
    "large": lambda x: x * 10.0,
    # In single precision, the exponential of such a number is infinite.
    "saturated": lambda x: numpy.sign(x) * (92.0 + 8.0 * numpy.abs(x) / (numpy.max(numpy.abs(x)) or 1.0)),
}
# Distance by which a point without a derivative is moved.
AWAY = 0.1


@dataclass(frozen=True)
class OwnFunction:
    """`operation` is what laws are asked of; `reasons` has why a point is none of it.

    `computed` is a dtype, `rules` are those of its author; `operations` are the engine's, where all derivatives are.
    """

    operation: Operation
    call: OwnCall
    reasons: Mapping[str, str]
    computed: str | None = None
    rules: Collection[str] = ()
    operations: Collection[str] = ()


@contextmanager
def coarse_as(computed: str | None) -> Iterator[None]:
    """A block in which the rounding of a dtype is allowed."""
    token = coarseness.set(ROUNDINGS.get(computed or "", Coarseness()))
    try:
        yield
    finally:
        coarseness.reset(token)


def _with_first(x: NumPyArray, number: float) -> NumPyArray:
    x = x.copy()
    x.ravel()[:1] = number
    return x


def operation_of(
    call: OwnCall, title: str, values: Sequence[NumPyArray], order: int, dtype: str | None, points: Sequence[Point] = ()
) -> Operation:
    """The function near these numbers as an operation of the laws."""
    arguments = tuple(Argument(x.shape, near=x) for x in values)
    signature = f"{NAME}({', '.join(f'x{at}' for at in range(len(values)))})"
    return Operation(
        signature, title, arguments, order=order, call=call, dtype=dtype, group="own", smooth=tuple(points)
    )


def own_function(
    ad: Any, call: OwnCall, plain: Operation, domain: Callable[..., Any] | None, computed: str | None
) -> OwnFunction:
    """The function with the special points at which it has a derivative. Raises UnusableInput."""
    if values_at(ad, plain, call.values) is None:
        raise UnusableInput("the function raises an error, or is not finite, at the given arguments")
    reasons: dict[str, str] = {}
    values = call.values
    if not _is_smooth(OperationSubject(ad, generic(plain))):
        moved = tuple(x + AWAY * numpy.sin(1.0 + numpy.arange(x.size)).reshape(x.shape) for x in values)
        if values_at(ad, plain, moved) is not None:
            values, reasons["the given point"] = moved, "a kink: laws are tried beside it"
    points, kinks = [], []
    for kind, point in _special(values, domain):
        if values_at(ad, plain, point.values) is None:
            reasons[kind] = "outside the domain: the function is not finite, or raises an error"
            continue
        subject = OperationSubject(ad, at_point(plain, point))
        if _is_smooth(subject):
            points.append(point)
        elif _has_sides(subject):
            kinks.append(point)
            reasons[kind] = "a kink: no derivative"
        else:
            reasons[kind] = "no derivative, from neither side"
    declared = operation_of(call, plain.meaning, values, plain.order, plain.dtype, points)
    return OwnFunction(replace(declared, kinks=tuple(kinks)), call, reasons, computed)


def _special(values: Sequence[NumPyArray], domain: Callable[..., Any] | None) -> Iterator[tuple[str, Point]]:
    """The special points of the domain, each once."""
    seen = {tuple(x.tobytes() for x in values)}
    for kind, change in SPECIAL.items():
        numbers = tuple(numpy.asarray(change(x)) if x.size else x for x in values)
        key = tuple(x.tobytes() for x in numbers)
        if key in seen or (domain and not domain(*numbers)):
            continue
        seen.add(key)
        yield kind, Point(kind, numbers)


def values_at(ad: Any, operation: Operation, values: Sequence[Any]) -> list[NumPyArray] | None:
    """The outputs at a point; None where they are not finite, or an error is raised."""
    try:
        with without_warnings():
            outputs = _outputs(ad, operation, values)
    except Exception:
        return None
    return outputs if all(numpy.isfinite(x).all() for x in outputs if x.dtype.kind in "fc") else None


def _outputs(ad: Any, operation: Operation, values: Sequence[NumPyArray]) -> list[NumPyArray]:
    arrays = [ad.array(x.tolist(), operation.dtype) for x in values]
    return [numpy_of(ad, x) for x in operation.call(*arrays)] if operation.call else []


def _is_smooth(subject: OperationSubject) -> bool:
    """Whether there is a derivative along two directions."""
    with suppress(Exception), without_warnings():
        return all(one_sided_agree(subject.scalar_along(subject.direction(number))) for number in (0, 1))
    return False


def _has_sides(subject: OperationSubject) -> bool:
    """Whether there are derivatives from both sides."""
    with suppress(Exception), without_warnings():
        both = sides(subject.scalar_along(subject.direction(0)))
        return all(side.error <= 1e-3 * max(1.0, abs(side.value)) for side in both)
    return False


def precision_of(ad: Any, call: OwnCall, given: str) -> tuple[str | None, str | None]:
    """The dtype of arguments with which laws call the function, and that in which it computes; None: double precision.

    Raises UnusableInput where it raises an error in the precision that it is given, and in double.
    """
    try:
        computed = computed_in(ad, call, None)
    except Exception as error:
        if given == "float64":
            raise UnusableInput(f"the function raises {type(error).__name__}: {first_line(error)}") from error
        return given, given
    return (None if computed is None or given == "float64" else given), computed


def computed_in(ad: Any, call: OwnCall, dtype: str | None) -> str | None:
    """The coarsest dtype that has all numbers of the outputs, for arguments of a dtype; None: double precision."""
    # Not the given numbers, which may have few digits.
    values = [x * (1 - 2.0**-30) for x in call.values]
    with without_warnings():
        outputs = _outputs(ad, operation_of(call, "", values, 1, dtype), values)
    parts = [part.ravel() for x in outputs if x.dtype.kind in "fc" for part in (x.real, x.imag)]
    numbers = numpy.concatenate([*parts, numpy.empty(0)]).astype("float64")
    # Every dtype has integers: they tell nothing.
    numbers = numbers[numpy.isfinite(numbers) & (numbers != numpy.round(numbers))]
    rounded = (name for name, digits in DIGITS.items() if numpy.array_equal(numbers, with_digits(numbers, digits)))
    return next(rounded, None) if numbers.size else None
