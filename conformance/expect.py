"""The assertions of a check: close, equal, one_of, raises, warns. Failures have got, expected and call."""

from __future__ import annotations

import ast
import linecache
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from conformance.compare import TOLERANCES, Terms, brief, difference, unequal, unmet
from conformance.messages import format_error
from conformance.mismatch import Mismatch, error_witness
from conformance.trial import Trial, current
from conformance.verdicts import Witness

__all__ = ["an_error", "close", "equal", "one_of", "raises", "warns"]


Result = TypeVar("Result")


class _AnError:
    def __repr__(self) -> str:
        return "an error"


an_error = _AnError()
"""Any error among the conventions of `one_of`."""


def close(got: Any, expected: Any, *, dtype: str | None = None, within: float | None = None, because: str = "") -> None:
    """`got` has the shape, the dtype and, up to the rounding of that dtype, the numbers of `expected`.

    A list is an array, a tuple or dict a container. Numbers are expected in double precision unless `dtype` names
    another, such as `float16`. `within` is an absolute tolerance in place of rounding, and needs a reason.
    """
    trial = _asserting()
    if dtype not in (None, *TOLERANCES):
        raise trial.fault(f"close(dtype={dtype!r}) has no tolerance: the dtypes are {', '.join(TOLERANCES)}")
    # A widened tolerance hides errors: the reader of a check is to see why it is safe.
    if (within is None) != (not because):
        raise trial.fault("close(within=..., because=...) needs both: a tolerance has its reason")
    if problem := difference(got, expected, _terms(trial, dtype, within)):
        raise _mismatch(problem, _call())


def equal(got: Any, expected: Any) -> None:
    """`got` is exactly `expected`: a flag, a name, a shape, a count, or None."""
    _asserting()
    if problem := unequal(got, expected):
        raise _mismatch(problem, _call())


def one_of(got: Any, **conventions: Any) -> str:
    """The name of the convention that `got` equals; a check with conventions returns this.

    `got` may be a function without arguments, so that `an_error` can be among the conventions.
    """
    trial = _asserting()
    if set(conventions) != set(trial.behaviour.conventions):
        raise trial.fault(f"one_of names {sorted(conventions)}, the behaviour {sorted(trial.behaviour.conventions)}")
    value, error = _attempt(got, trial) if callable(got) else (got, None)
    given = [name for name, expected in conventions.items() if _gives(value, error, expected, trial, name)]
    # Conventions that no value can distinguish would let any engine follow its documentation.
    if len(given) > 1:
        raise trial.fault(f"one_of cannot tell the conventions {given} apart: both are {brief(value)}")
    if not given:
        listed = ", ".join(f"{name} ({brief(expected)})" for name, expected in conventions.items())
        if error:
            raise _wrong_error(error, f"one of {listed}", _call(), ", ")
        raise _mismatch(Witness(brief(value), f"one of {listed}"), _call())
    return given[0]


def raises(action: Callable[[], object]) -> None:
    """`action` raises an error: that which the deciding citation promises, if it names any (`raises`, `says`)."""
    trial = _asserting()
    value, error = _attempt(action, trial)
    if error is None:
        raise _mismatch(Witness(brief(value), f"an error{_promised(trial)}", "error"), _call())
    for citation in trial.promise:
        if promised := unmet(error, citation.raises, citation.says):
            raise _wrong_error(error, promised, _call())


def warns(action: Callable[[], Result]) -> Result:
    """`action` warns as the deciding citation promises (`warns`, `says`). Returns what `action` returns."""
    trial = _asserting()
    with warnings.catch_warnings(record=True) as caught:
        # Python shows a warning once per line of code by default: a second case would see none.
        warnings.simplefilter("always")
        value = action()
    given = [warning.message for warning in caught if isinstance(warning.message, Warning)]
    if not given:
        raise _mismatch(Witness(f"{brief(value)} and no warning", "a warning", "warning"), _call())
    for citation in trial.promise:
        # An engine may warn of other things as well: a single match is enough.
        promised = [unmet(warning, citation.warns, citation.says) for warning in given]
        if all(promised):
            warned, where = format_error(given[0]), _call()
            witness = Witness(warned, promised[0], "warning", where, verb_in(where))
            raise Mismatch(f"warned {warned}; expected {promised[0]} in {where}", witness)
    return value


def _mismatch(problem: Witness, where: str) -> Mismatch:
    witness = Witness(problem.got, problem.expected, problem.what, where, verb_in(where))
    return Mismatch(f"got {problem.got}, expected {problem.expected} in {where}", witness)


def _wrong_error(error: BaseException, promised: str, where: str, joint: str = "; ") -> Mismatch:
    message = f"raised {format_error(error)}{joint}expected {promised} in {where}"
    return Mismatch(message, error_witness(error, promised, where, verb_in(where)))


def verb_in(where: str) -> str:
    """The verb whose result a call of an assertion judges, as `grad` of `close(ad.grad(f)(x), 2.0)`; else empty."""
    try:
        node: ast.AST = ast.parse(where).body[0]
    except (SyntaxError, IndexError):  # a line of a longer statement
        return ""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args):
        return ""
    # The leftmost part of the first argument, which may go on: `ad.grad(f)(x)[0]`.
    part: ast.AST | None = node.value.args[0]
    while part is not None and getattr(getattr(part, "value", None), "id", "") != "ad":
        inner = (getattr(part, name, None) for name in ("func", "value", "left"))
        part = next((node for node in inner if isinstance(node, ast.AST)), None)
    return part.attr if isinstance(part, ast.Attribute) else ""


def _terms(trial: Trial, dtype: str | None = None, within: float | None = None) -> Terms:
    return Terms(trial.adapter.to_numpy, trial.declaration.missing_dtypes, dtype, within)


def _asserting() -> Trial:
    # Counted, because a check without an assertion would pass on every engine.
    trial = current()
    trial.assertions += 1
    return trial


def _attempt(action: Callable[[], Any], trial: Trial) -> tuple[Any, BaseException | None]:
    """The value of an action, or the engine's exception. Other faults are raised again, and documented limitations."""
    try:
        return action(), None
    except Exception as error:
        if not trial.is_engines(error) or trial.limitation(error):
            raise
        return None, error


def _gives(value: Any, error: BaseException | None, expected: Any, trial: Trial, name: str) -> bool:
    if expected is an_error:
        cited = [citation for citation in trial.promise if citation.convention == name]
        return error is not None and not any(unmet(error, c.raises, c.says) for c in cited)
    return error is None and difference(value, expected, _terms(trial)) is None


def _promised(trial: Trial) -> str:
    # Of `Exception` any error will do: then there is no class to name.
    kinds = [citation.raises for citation in trial.promise if citation.raises not in (None, Exception)]
    return f" by {kinds[0] if isinstance(kinds[0], str) else kinds[0].__name__}" if kinds else ""


def _call() -> str:
    """The source line of the check that called the assertion."""
    if where := current().where:
        return where
    # 0 is this function, 1 the assertion, 2 the check (or the lambda in it).
    frame = sys._getframe(2)
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() or frame.f_code.co_name
