"""The proof of an absence: what its probe must do before a run, or `adapter check`, believes it.

A probe must return None on the engine, call a verb, and raise AssertionError on the reference engine if that has any
of the features. Where the reference engine lacks them all, as in its own column, it cannot be asked; the other engines
that have them are frameworks, of which a process imports one.

A proof counts for a single cell: a check in between may have changed the engine. It takes about 0.1 ms, once the
reference engine is imported in 0.2 s.
"""

from __future__ import annotations

from functools import cache, wraps
from typing import Any

from conformance.engines import load, parse
from conformance.messages import format_error
from conformance.protocol import Absence, Adapter, Limitation, vocabulary


class Unproven(Exception):
    """A probe proves nothing: what it does, what it should do, and how to mend it."""

    def __init__(self, got: str, expected: str, todo: str) -> None:
        super().__init__(f"the probe of an absence {got}; {todo}")
        self.got, self.expected, self.todo = f"a probe that {got}", expected, todo


def prove(absence: Absence, adapter: Adapter, let_out: tuple[type[BaseException], ...] = ()) -> None:
    """Run the probe on the engine and on the reference engine.

    Raises Unproven; EngineError if the reference engine cannot be loaded; what the probe raises of the types `let_out`.
    """
    _holds(absence, adapter, let_out)
    if feature := next(filter(_reference_has, absence.features), None):
        _fails_on_the_reference(absence, feature, let_out)


def prove_limitation(
    limitation: Limitation, met: str, adapter: Adapter, let_out: tuple[type[BaseException], ...] = ()
) -> None:
    """Run the program that is to raise the error which was `met`. Raises Unproven unless it does.

    Raises also what the program raises of the types `let_out`.
    """
    # Each phrase has a program: that another limitation still holds proves nothing about this one.
    phrase = next(phrase for phrase in limitation.programs if phrase in met)
    expected, todo = f"an error that says {phrase!r}", "if the engine is no longer limited so, remove it"
    try:
        limitation.programs[phrase](adapter)
    except let_out:
        raise
    except Exception as error:
        if phrase in str(error):
            return
        raise Unproven(f"raises {format_error(error)}", expected, todo) from error
    raise Unproven("raises no error", expected, todo)


def _holds(absence: Absence, adapter: Adapter, let_out: tuple[type[BaseException], ...]) -> None:
    called: set[str] = set()
    try:
        returned: object = absence.probe(_Watched(adapter, called))  # type: ignore[func-returns-value]
    except let_out:
        raise
    except BaseException as error:  # SystemExit and the like are the probe's answer, too
        todo = f"the engine may have it: write {absence.features[0]}, or mend the probe"
        raise Unproven(f"does not hold: {format_error(error)}", "no exception", todo) from error
    # A function that returns whether it holds would hold everywhere.
    if returned is not None:
        todo = "let it raise AssertionError where it does not hold"
        raise Unproven(f"returns a value of type {type(returned).__name__}", "None", todo)
    if not called:
        todo = "let it show by a small program what the engine does instead"
        raise Unproven("never uses `ad`", "one that calls a verb of the engine", todo)


def _fails_on_the_reference(absence: Absence, feature: str, let_out: tuple[type[BaseException], ...]) -> None:
    state = _reference().global_state()
    expected = "AssertionError where the feature is there"
    try:
        absence.probe(_Watched(_reference(), set()))
    except let_out:
        raise
    except AssertionError:
        return
    except BaseException as error:
        # A probe that cannot run there has not seen the feature: it may be misspelt.
        got = f"raises {format_error(error)} on the reference engine, which has {feature}"
        raise Unproven(got, expected, "let it use what every engine with the feature has") from error
    finally:
        _reference().restore(state)
    todo = "let it show what only an engine without the feature does"
    raise Unproven(f"also holds on the reference engine, which has {feature}", expected, todo)


@cache
def _reference() -> Adapter:
    """The engine known to have most features. Loaded when first needed: most processes meet no absence."""
    return load(parse("reference"))


def _reference_has(feature: str) -> bool:
    """Whether the reference engine has a feature: it declares all that it lacks, a verb with its arguments."""
    return not {feature, feature.rpartition(".")[0]} & _lacking()


@cache
def _lacking() -> frozenset[str]:
    return frozenset(feature for absence in _reference().absences for feature in absence.features)


class _Watched:
    """An adapter, or a namespace of it, that notes which verbs are called: to look one up asks an engine nothing."""

    def __init__(self, owner: Any, called: set[str], prefix: str = "") -> None:
        self._owner, self._called, self._prefix = owner, called, prefix

    def __getattr__(self, name: str) -> Any:
        value, verb = getattr(self._owner, name), f"{self._prefix}{name}"
        if verb in vocabulary():
            return self._with_note(verb, value) if callable(value) else value
        is_namespace = any(known.startswith(f"{verb}.") for known in vocabulary())
        return _Watched(value, self._called, f"{verb}.") if is_namespace else value

    def _with_note(self, verb: str, method: Any) -> Any:
        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._called.add(verb)
            return method(*args, **kwargs)

        return call
