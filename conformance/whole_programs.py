"""Trials of compiled programs: a check is run in eager mode, then its native program is compiled as a whole.

Nothing is asserted in what is compiled. It puts what is to be asserted into a list, which is judged when it has ended.
"""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conformance import expect, trial
from conformance.behaviour import Behaviour
from conformance.declaration import Declaration
from conformance.protocol import CompilingAdapter
from conformance.scripts.trees import Underivable
from conformance.scripts.whole import WholeProgram, whole_program
from conformance.verdicts import Outcome, Verdict

__all__ = ["run"]

LetOut = tuple[type[BaseException], ...]
# What has one of these can be compared with what the compiled program gives.
RAN = (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS)


def run(
    behaviour: Behaviour, adapter: CompilingAdapter, case: str | None, let_out: LetOut, declaration: Declaration
) -> Outcome:
    """The outcome of the whole program of a check, compiled.

    A check that does not run to its end in eager mode has that outcome. One of which nothing was compiled is absent.
    """
    eager = trial.run_check(behaviour, adapter.eager, case, let_out, declaration)
    if eager.verdict not in RAN:
        return eager

    def tried(program: WholeProgram, compiled: bool, copied: bool) -> Outcome:
        def check(ad: Any, *arguments: Any) -> Any:
            return _judged(program, adapter, compiled, copied)

        return trial.run_check(replace(behaviour, check=check), adapter, case, let_out, declaration)

    try:
        program = whole_program(behaviour, case, adapter.eager, eager)
    except Underivable:
        return trial.run_check(behaviour, adapter, case, let_out, declaration)
    for copied in (False, True):  # copies only where a later write changes what was to be asserted
        plain = tried(program, False, copied)
        if (plain.verdict, plain.convention) == (eager.verdict, eager.convention):
            outcome = tried(program, True, copied)
            reason = adapter.uncompiled()
            return Outcome(Verdict.ABSENT, message=reason) if reason and outcome.verdict in RAN else outcome
    return trial.run_check(behaviour, adapter, case, let_out, declaration)


def _judged(program: WholeProgram, adapter: CompilingAdapter, compiled: bool, copied: bool) -> str | None:
    """Run a program, then assert what it handed on. Returns the convention, where there are several."""
    seen: list[tuple[int, str, tuple[Any, ...], dict[str, Any]]] = []
    namespace = _recorders(seen, adapter.apart if compiled else _same, adapter.copied if copied else _same)
    # A new name each time: what is compiled is kept by the code that it is made of.
    name = f"<program {id(seen)}>"
    linecache.cache[name] = len(program.text), None, program.text.splitlines(keepends=True), name
    exec(compile(program.text, name, "exec"), namespace)
    (adapter.compiled if compiled else _same)(namespace["program"])()
    convention = None
    for number, kind, given, options in seen:
        trial.current().where = program.sites[number]
        found = getattr(expect, kind)(*given, **options)
        convention = found if kind == "one_of" else convention
    return convention


def _same(value: Any) -> Any:
    return value


def _recorders(
    seen: list[Any], apart: Callable[[Callable[..., Any]], Callable[..., Any]], kept: Callable[[Any], Any]
) -> dict[str, Any]:
    """What a program calls in the place of assertions, by name."""

    def close(number: int, got: Any, expected: Any, **options: Any) -> None:
        seen.append((number, "close", (kept(got), expected), options))

    def equal(number: int, got: Any, expected: Any) -> None:
        seen.append((number, "equal", (got, expected), {}))

    def one_of(number: int, got: Any, **conventions: Any) -> None:
        if callable(got):
            attempt(number, "one_of", got, conventions)
        else:
            seen.append((number, "one_of", (kept(got),), conventions))

    def raises(number: int, action: Callable[[], Any]) -> None:
        attempt(number, "raises", action, {})

    # Apart: an error that arises while a program is traced is not caught by what is traced.
    @apart
    def attempt(number: int, kind: str, action: Callable[[], Any], options: dict[str, Any]) -> None:
        try:
            value = action()
        except Exception as error:
            seen.append((number, kind, (_raising(error),), options))
        else:
            seen.append((number, kind, (lambda: value,), options))

    @apart
    def warns(number: int, action: Callable[[], Any]) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = action()
        seen.append((number, "warns", (lambda: [warnings.warn(one.message, one.category) for one in caught],), {}))
        return value

    made = {"_close": close, "_equal": equal, "_one_of": one_of, "_raises": raises, "_warns": warns}
    return {**made, "_an_error": expect.an_error, "__name__": "program"}


def _raising(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again
