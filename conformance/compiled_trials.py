"""Trials of compiled programs: a check is run in eager mode, then its native program is compiled as a whole.

Nothing is asserted in what is compiled. It puts what is to be asserted into a list, which is judged when it has ended.
"""

from __future__ import annotations

import itertools
import linecache
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from conformance import expect, trial
from conformance.behaviour import Behaviour, Check
from conformance.declaration import Declaration, declared
from conformance.operations.row import Operation
from conformance.protocol import Adapter, CompilingAdapter
from conformance.scripts.trees import Underivable
from conformance.scripts.whole import WholeProgram, whole_program
from conformance.verdicts import Outcome, Reason, Verdict

LetOut = tuple[type[BaseException], ...]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
# A value with any of these can be compared with that of the compiled program.
RAN = (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS)
# Of a law on an operation: the compiler changes nothing, and known failures list the cause in the eager column.
AS_EAGER = "as in eager mode"
_numbers = itertools.count()


@dataclass(frozen=True)
class Handed:
    """An assertion that a program hands on instead of making it: its number, its function and arguments."""

    number: int
    kind: str
    given: tuple[Any, ...]
    options: dict[str, Any]


def run(
    behaviour: Behaviour,
    adapter: Adapter,
    case: str | None = None,
    let_out: LetOut = (),
    declaration: Declaration | None = None,
) -> Outcome:
    """Run a check, as `trial.run`: on an adapter of a compiler, its whole program, compiled.

    A check that does not run to its end in eager mode has that outcome. One of which nothing was compiled is absent.
    """
    declaration = declaration or declared(adapter, checked=False)
    if not isinstance(adapter, CompilingAdapter):
        return trial.run(behaviour, adapter, case, let_out, declaration)

    def run_on(engine: Adapter, check: Check = behaviour.check) -> Outcome:
        return trial.run(replace(behaviour, check=check), engine, case, let_out, declaration)

    if adapter.on_operations and case and isinstance(behaviour.cases[case][0], Operation):
        return _of_operation(adapter.on_operations, run_on)
    eager = run_on(adapter.eager)
    if eager.verdict not in RAN:
        return eager
    # Else what an earlier cell compiled would count as this one's: `uncompiled` is asked afterwards.
    adapter.forget()
    program = _derived(behaviour, case, adapter, eager)
    for kept in (_same, adapter.copied):  # copies only where a later write changes what was to be asserted
        plain = ProgramRun(program, kept) if program else None
        if plain and _same_as(eager, run_on(adapter, plain.judge)):
            return _beside(adapter, run_on(adapter, ProgramRun(plain.program, kept, adapter, plain.seen).judge))
    return _beside(adapter, run_on(adapter))


def _of_operation(adapter: CompilingAdapter, run_on: Callable[[Adapter], Outcome]) -> Outcome:
    """The outcome of a law on an operation that is compiled: absent where it never is."""
    adapter.forget()
    outcome = run_on(adapter)
    if outcome.verdict not in RAN:
        return outcome
    if reason := adapter.uncompiled():
        return Outcome(Verdict.ABSENT, message=reason, reason=Reason.NOT_COMPILED)
    if outcome.verdict is Verdict.PASS:
        return replace(outcome, reason=Reason.UNTRACED) if adapter.compiles_a_part else outcome
    eager = run_on(adapter.eager)
    as_eager = (eager.verdict, eager.message) == (outcome.verdict, outcome.message)
    return replace(outcome, message=f"{AS_EAGER}: {outcome.message}") if as_eager else outcome


def _derived(behaviour: Behaviour, case: str | None, adapter: CompilingAdapter, eager: Outcome) -> WholeProgram | None:
    """The program that is compiled as a whole; None where there is none."""
    try:
        return whole_program(behaviour, case, adapter.eager, eager) if adapter.whole else None
    except Underivable:
        return None


def _same_as(eager: Outcome, outcome: Outcome) -> bool:
    return (outcome.verdict, outcome.convention) == (eager.verdict, eager.convention)


def _beside(adapter: CompilingAdapter, outcome: Outcome) -> Outcome:
    """The outcome of a compiled program, beside that of the check in eager mode."""
    reason = adapter.uncompiled()
    if reason and outcome.verdict in RAN:
        return Outcome(Verdict.ABSENT, message=reason, reason=Reason.NOT_COMPILED)
    if outcome.reason is Reason.LEFT_CHANGED:
        # In eager mode the same program left nothing changed: this is no fault of the check.
        return replace(outcome, verdict=Verdict.FAIL)
    return outcome


class ProgramRun:
    """One run of a program, compiled where there is an adapter; `earlier` is what it handed on in eager mode."""

    def __init__(
        self,
        program: WholeProgram,
        kept: Callable[[Any], Any],
        adapter: CompilingAdapter | None = None,
        earlier: Sequence[Handed] = (),
    ) -> None:
        self.program, self.kept, self.adapter, self.earlier = program, kept, adapter, earlier
        self.seen: list[Handed] = []

    def judge(self, ad: Any, *arguments: Any) -> str | None:
        """Run the program, then assert what it handed on. Returns the convention, where there are several."""
        recorders = _recorders(self.seen, self.adapter.apart if self.adapter else _same, self.kept)
        with _module(self.program.text, recorders) as module:
            program = self.adapter.compiled(module._whole) if self.adapter else module._whole
            try:
                program()
            except Exception as error:
                self._end(error)
        # After the run, in which they would be traced and compiled with the rest.
        convention = None
        for handed in self.seen:
            trial.current().where = self.program.sites[handed.number]
            chosen = getattr(expect, handed.kind)(*handed.given, **handed.options)
            convention = chosen if handed.kind == "one_of" else convention
        return convention

    def _end(self, error: Exception) -> None:
        """Hand on an error with which the program may end. Any other is raised again."""
        last = (handed for handed in (*self.seen, *self.earlier) if handed.number == self.program.last)
        ending = next(last, None)  # of a program that is traced as a whole, nothing is handed on yet
        if ending is None:
            raise error
        # An assertion before it that failed would have ended the check.
        self.seen[:] = [handed for handed in self.seen if handed.number != ending.number]
        self.seen.append(replace(ending, given=(_raising(error),)))


@contextmanager
def _module(text: str, given: dict[str, Any]) -> Iterator[Any]:
    """A module of that text; compilers look for it among those that are imported."""
    module = ModuleType(f"program_{next(_numbers)}")
    vars(module).update(given)
    # For messages; a new name each time, for what is compiled is kept by the code that it is made of.
    name = f"<{module.__name__}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, name, "exec"), vars(module))
        yield module
    finally:
        del sys.modules[module.__name__], linecache.cache[name]


def _same(value: Any) -> Any:
    return value


def _recorders(seen: list[Handed], apart: Decorator, kept: Callable[[Any], Any]) -> dict[str, Any]:
    """The functions that a program calls in the place of assertions, by name."""

    def hand(number: int, kind: str, *given: Any, **options: Any) -> None:
        seen.append(Handed(number, kind, given, options))

    def one_of(number: int, got: Any, **conventions: Any) -> None:
        attempt(number, "one_of", got, conventions) if callable(got) else hand(
            number, "one_of", kept(got), **conventions
        )

    # Apart: an error that arises while a program is traced is not caught by what is traced.
    @apart
    def attempt(number: int, kind: str, action: Callable[[], Any], options: dict[str, Any]) -> None:
        try:
            value = action()
        except Exception as error:
            hand(number, kind, _raising(error), **options)
        else:
            hand(number, kind, lambda: value, **options)

    @apart
    def warns(number: int, action: Callable[[], Any]) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = action()
        hand(number, "warns", lambda: [warnings.warn(it.message, it.category, stacklevel=1) for it in caught])
        return value

    functions = {
        "close": lambda number, got, expected, **options: hand(number, "close", kept(got), expected, **options),
        "equal": lambda number, got, expected: hand(number, "equal", kept(got), expected),
        "raises": lambda number, action: attempt(number, "raises", action, {}),
        "one_of": one_of,
        "warns": warns,
        "an_error": expect.an_error,
        **_endings(seen),
    }
    return {f"_{name}": value for name, value in functions.items()}


def _endings(seen: list[Handed]) -> dict[str, Callable[..., Any]]:
    """The two halves of an assertion with which a program ends: it is handed on before its action has ended."""

    def ending(number: int, kind: str, **options: Any) -> int:
        seen.append(Handed(number, kind, (_nothing,), options))
        return len(seen) - 1

    def ended(place: int, value: Any) -> None:
        begun = seen[place]
        seen[place] = Handed(begun.number, begun.kind, (lambda: value,), begun.options)

    return {"ending": ending, "ended": ended}


def _nothing() -> None:
    """The action of an assertion that has not ended."""


def _raising(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again
