"""What a script does with what it got. This code is written into scripts, and judges as `conformance.expect` does."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from typing import Any

from conformance.compare import brief, difference, unequal
from conformance.messages import said
from conformance.raising import unlike

__all__ = ["close", "equal", "one_of", "refusal", "refuses", "run", "warns"]

Promise = tuple[type[BaseException] | str | None, str]


def to_numpy(x: Any) -> Any:
    """The numbers of an array. In a script, the adapter's own code stands here."""
    raise NotImplementedError


class Otherwise(AssertionError):
    """The engine does otherwise than expected."""


def close(got: Any, expected: Any, *, within: float | None = None, because: str = "") -> None:
    """`got` has the shape and, up to rounding, the numbers of `expected`."""
    tell(difference(got, expected, to_numpy, within), got, expected)


def equal(got: Any, expected: Any) -> None:
    """`got` is exactly `expected`."""
    tell(unequal(got, expected), got, expected)


def refuses(action: Callable[[], Any], *promised: Promise) -> None:
    """`action` raises an exception of the promised type that says the promised phrase."""
    value, error = attempt(action)
    problem = next(filter(None, (unlike(error, *one) for one in promised)), "") if error else "expected a refusal"
    tell(problem, error or value, expectation("a refusal", promised))


def warns(action: Callable[[], Any], *promised: Promise) -> Any:
    """`action` warns as promised; returns what `action` returns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = action()
    given = [warning.message for warning in caught if isinstance(warning.message, Warning)]
    kept = all(any(not unlike(warning, *one) for warning in given) for one in promised)
    tell("" if given and kept else "expected another", given, expectation("a warning", promised))
    return value


def one_of(got: Any, **answers: Any) -> str:
    """Which of the named answers `got` is; a function without arguments is called for it."""
    value, error = attempt(got) if callable(got) else (got, None)
    given = [name for name, expected in answers.items() if answered(value, error, expected)]
    tell("" if len(given) == 1 else "none of them", error or value, answers)
    return given[0]


class Refusal:
    """An exception among the answers."""

    def __init__(self, *promised: Promise) -> None:
        self.promised = promised

    def __repr__(self) -> str:
        return expectation("a refusal", self.promised)


refusal = Refusal


def answered(value: Any, error: BaseException | None, expected: Any) -> bool:
    """Whether a value or an exception is the expected answer."""
    if isinstance(expected, Refusal):
        return error is not None and not any(unlike(error, *one) for one in expected.promised)
    return error is None and difference(value, expected, to_numpy, None) == ""


def attempt(action: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """The value of an action, or the exception that it raises."""
    try:
        return action(), None
    except Otherwise:
        raise
    except Exception as error:
        return None, error


def expectation(what: str, promised: tuple[Promise, ...]) -> str:
    """What is expected of an exception or warning, in words."""
    kinds = [kind if isinstance(kind, str) else kind.__name__ for kind, _ in promised if kind]
    phrases = [f" that says {phrase!r}" for _, phrase in promised if phrase]
    return what + "".join([f" by {kinds[0]}" if kinds else "", *phrases[:1]])


def tell(problem: str, got: Any, expected: Any) -> None:
    """Print what was got and expected. Raises Otherwise if there is a problem."""
    print("got:     ", said(got) if isinstance(got, BaseException) else brief(got))
    print("expected:", expected if isinstance(expected, str) else brief(expected))
    if problem:
        raise Otherwise(problem)


def run(program: Callable[[], Any]) -> None:
    """Run the program, and say at last whether it came out as expected, or which answer it gave."""
    try:
        outcome = program() or "as expected"
    except BaseException:
        traceback.print_exc()
        outcome = "otherwise"
    print("outcome:", outcome)
