"""Comparison of numbers: they differ if rounding and ten times an estimated error do not explain it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy

# Relative to the size of the numbers: a derivative is a longer computation than its function.
RELATIVE = 1e-7
FACTOR = 10.0
# Rounding of a function that is a handful of operations, in units in the last place.
ROUNDING = 64 * float(numpy.finfo("float64").eps)


@dataclass(frozen=True)
class Coarseness:
    """Rounding of the function that is judged: relative to the size of results, and of its values.

    Differences take steps that are `step` times as wide as in double precision, so that rounding stays below them; to
    decide whether there is a derivative, these divided by `parts`, whose results then are `settled` to each other.
    """

    relative: float = 0.0
    rounding: float = ROUNDING
    step: float = 1.0
    parts: tuple[float, float] = (8, 64)
    settled: float = 1e-3


DOUBLE = Coarseness()
# Of a function that computes in another precision than double, for as long as it is judged.
coarseness: ContextVar[Coarseness] = ContextVar("coarseness", default=DOUBLE)


@dataclass(frozen=True)
class Difference:
    """A comparison that failed: its kind (numbers, NaN, shape, raises TypeError, ...), and both sides as text.

    `what` was compared. `at` is the number of the value, where it is a value of a program. Of an error that was raised,
    `error` is the type, and `text` the first line of its message.
    """

    kind: str
    got: str
    expected: str
    at: int | None = None
    what: str = ""
    error: str = ""
    text: str = ""

    @classmethod
    def of_error(cls, error: str, text: str, expected: str, longest: int = 200) -> Difference:
        """The difference that an error was raised, of a type and with a message, which together are cut."""
        text = text[: max(0, longest - len(f"{error}: "))]
        return cls(f"raises {error}", f"{error}: {text}" if text else error, expected, error=error, text=text)


def compared(
    got: Any, expected: Any, what: str = "", error: float = 0.0, scale: float = 0.0, relative: float = RELATIVE
) -> Difference | None:
    """None where numbers agree: up to ten times `error`, and rounding of the larger of `expected` and `scale`."""
    x, y = numpy.asarray(got, dtype="float64"), numpy.asarray(expected, dtype="float64")
    if x.shape != y.shape:
        return Difference("shape", f"shape {x.shape}", f"shape {y.shape}", what=what)
    size = max(scale, float(numpy.max(numpy.abs(y), initial=0.0, where=numpy.isfinite(y))))
    # Infinities of equal sign have no distance: NaN, which no comparison calls large.
    relative = max(relative, coarseness.get().relative)
    with numpy.errstate(invalid="ignore"):
        wrong = numpy.abs(x - y) > FACTOR * error + relative * size
    # A NaN is equal to nothing, and an infinity to itself.
    wrong |= numpy.isnan(x) != numpy.isnan(y)
    wrong &= x != y
    if not numpy.any(wrong):
        return None
    nans = (kind for kind, side in (("NaN", x), ("no NaN", y)) if numpy.any(numpy.isnan(side[wrong])))
    return Difference(next(nans, "numbers"), shown(got), shown(expected), what=what)


def compared_each(
    got: Iterable[Any],
    expected: Iterable[Any],
    what: str = "",
    error: float = 0.0,
    scale: float = 0.0,
    relative: float = RELATIVE,
) -> Difference | None:
    """The first difference between arrays of two sequences of equal length."""
    return first_of(compared(x, y, what, error, scale, relative) for x, y in zip(got, expected, strict=True))


def first_of(differences: Iterable[Difference | None]) -> Difference | None:
    """The first comparison that failed."""
    return next((difference for difference in differences if difference is not None), None)


def largest(arrays: Iterable[Any]) -> float:
    """The largest magnitude in arrays."""
    return max((float(numpy.max(numpy.abs(x), initial=0.0)) for x in arrays), default=0.0)


def shown(value: Any) -> str:
    """Numbers as text; text as it is."""
    return value if isinstance(value, str) else repr(numpy.asarray(value).tolist())


@contextmanager
def without_warnings() -> Iterator[None]:
    """A block in which nothing warns, such as NumPy of numbers that are not finite: these are compared."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
