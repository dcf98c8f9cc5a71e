"""What a script does with what it got. This code is written into scripts.

It is short, because people read it there: it says that something is otherwise, and `conformance.expect` says how. That
both judge alike is held by a test.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

__all__ = ["an_error", "close", "equal", "one_of", "raises", "run", "warns"]

Promise = tuple[type[BaseException] | str | None, str]


def to_numpy(x: Any) -> Any:
    """The numbers of an array. In a script, the adapter's own code stands here."""
    raise NotImplementedError


class Otherwise(AssertionError):
    """The engine does otherwise than expected."""


def run(program: Callable[[], Any]) -> None:
    """Run the program, and say at last whether it came out as expected, or which convention it gave."""
    try:
        outcome = program() or "as expected"
    except BaseException:
        traceback.print_exc()
        outcome = "otherwise"
    print("outcome:", outcome)


def close(got: Any, expected: Any, *, within: float | None = None, because: str = "") -> None:
    """`got` has the shape and, up to rounding, the numbers of `expected`."""
    tell(agree(got, expected, within), got, expected)


def agree(got: Any, expected: Any, within: float | None = None) -> bool:
    """Whether two values are the same: containers item by item, arrays up to rounding."""
    if got is None or expected is None:
        return got is expected
    if isinstance(expected, tuple):
        alike = isinstance(got, (tuple, list)) and len(got) == len(expected)
        return alike and all(agree(*pair, within) for pair in zip(got, expected, strict=True))
    if isinstance(expected, Mapping):
        alike = isinstance(got, Mapping) and got.keys() == expected.keys()
        return alike and all(agree(got[key], expected[key], within) for key in expected)
    if isinstance(got, (tuple, Mapping)):
        return False
    return agree_in_numbers(got, np.asarray(expected), within)


def agree_in_numbers(got: Any, expected: Any, within: float | None) -> bool:
    """Whether an array has the shape and the numbers of another."""
    plain = isinstance(got, (int, float, complex, np.ndarray))
    numbers = np.asarray(got if plain else to_numpy(got))
    if numbers.dtype.kind in "OSUMm" or numbers.shape != expected.shape:
        return False
    rounding = 512 * np.finfo(numbers.dtype).eps if numbers.dtype.kind in "fc" else 0.0
    relative, absolute = (rounding, rounding) if within is None else (0.0, within)
    return bool(np.allclose(numbers, expected, rtol=relative, atol=absolute, equal_nan=True))


def equal(got: Any, expected: Any) -> None:
    """`got` is exactly `expected`."""
    plain = expected is None or isinstance(expected, bool)
    same = got is expected if plain else isinstance(got, type(expected)) and bool(got == expected)
    tell(same, got, expected)


def raises(action: Callable[[], Any], *promised: Promise) -> None:
    """`action` raises an exception of the promised type that says the promised phrase."""
    value, error = attempt(action)
    kept = error is not None and all(says(error, *one) for one in promised)
    tell(kept, error or value, ("a refusal", *promised))


def warns(action: Callable[[], Any], *promised: Promise) -> Any:
    """`action` warns as promised; returns what `action` returns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = action()
    given = [warning.message for warning in caught if isinstance(warning.message, Warning)]
    kept = given and all(any(says(warning, *one) for warning in given) for one in promised)
    tell(bool(kept), given, ("a warning", *promised))
    return value


def one_of(got: Any, **conventions: Any) -> str:
    """Which of the named conventions `got` is; a function without arguments is called for it."""
    value, error = attempt(got) if callable(got) else (got, None)
    given = [name for name, expected in conventions.items() if given(value, error, expected)]
    tell(len(given) == 1, error or value, conventions)
    return given[0]


class AnError(tuple):  # type: ignore[type-arg]
    """An exception among the conventions, and what is promised of it."""


def an_error(*promised: Promise) -> AnError:
    """An exception as a convention."""
    return AnError(promised)


def given(value: Any, error: BaseException | None, expected: Any) -> bool:
    """Whether a value or an exception is the expected convention."""
    if isinstance(expected, AnError):
        return error is not None and all(says(error, *one) for one in expected)
    return error is None and agree(value, expected)


def attempt(action: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """The value of an action, or the exception that it raises."""
    try:
        return action(), None
    except Otherwise:
        raise
    except Exception as error:
        return None, error


def says(error: BaseException, kind: type[BaseException] | str | None, phrase: str) -> bool:
    """Whether an exception or warning is of a kind, given by class or by name, and says a phrase."""
    bases = type(error).__mro__
    short = [base.__qualname__ for base in bases]
    long = [f"{base.__module__}.{base.__qualname__}" for base in bases]
    return kind in (None, *bases, *short, *long) and phrase.lower() in str(error).lower()


def tell(same: bool, got: Any, expected: Any) -> None:
    """Print what was got and expected. Raises Otherwise if they are not the same."""
    print("got:     ", repr(got))
    print("expected:", expected)
    if not same:
        raise Otherwise("got something else than expected")
