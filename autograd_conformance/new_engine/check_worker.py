"""The check of an adapter, run in a separate process beside the engine, which answers a question at a time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

from autograd_conformance.new_engine import declared, questions
from autograd_conformance.new_engine.reach import reach
from autograd_conformance.new_engine.records import QUESTIONS, AdapterQuestion, CheckFailure, Finding, Reach
from conformance.absence_proofs import Unproven, prove
from conformance.collection import load_all
from conformance.messages import format_error, printable
from conformance.protocol import Absence, Adapter
from conformance.running.answers import Answer, answer_questions

REACH = "cells within reach"
RESTORE = "return what can be compared by ==, and let `restore` set it back"


def prepare(adapter: Adapter) -> Answer:
    """The function that asks the adapter a question by its name."""
    warnings.simplefilter("ignore")
    # Now, while it counts as a start: importing the chapters takes longer than most answers.
    behaviours = load_all()
    asked = {question.name: question for question in _questions(adapter)}

    def answer(name: str, begin: Callable[[], None]) -> list[str] | Finding | Reach | None:
        if name == QUESTIONS:
            return [*asked, REACH]
        if name == REACH:
            having = declared.written(adapter), declared.absent(adapter)
            return reach(adapter.name, str(adapter.version), *having, behaviours)
        question = asked[name]
        # None without the verbs that it needs. Looked up now: an adapter may hang there, which is an answer, too.
        fits = not question.needs or declared.written(adapter).issuperset(question.needs)
        return _answer(adapter, question) if fits else None

    return answer


def _questions(adapter: Adapter) -> Iterator[AdapterQuestion]:
    states: list[Any] = []
    yield AdapterQuestion("global_state: read twice", (), lambda ad: _read_twice(ad, states), RESTORE)
    # Names first: a misspelt verb is the cause of much that is missing later.
    yield AdapterQuestion("verbs: looked up", (), declared.unreadable, "let it be a method")
    yield AdapterQuestion("verbs: their names", (), declared.misspelt, "rename it, or begin a helper with _")
    yield AdapterQuestion("verbs: their arguments", (), declared.unlike_protocol, "give it the protocol's arguments")
    yield AdapterQuestion("verbs: raise no errors", (), declared.raising, "leave out what the engine lacks")
    yield AdapterQuestion(
        "array and to_numpy are written", (), _has_arrays, "write them first: every behaviour needs them"
    )
    yield from questions.questions(frozenset(adapter.missing_dtypes))
    yield from map(_of_absence, adapter.absences)
    # Last: the questions may have changed the engine's state.
    yield AdapterQuestion("global_state: restored", (), lambda ad: _restored(ad, *states), RESTORE)


def _of_absence(absence: Absence) -> AdapterQuestion:
    """The question whether its probe proves an absence, before a run would ask."""

    def ask(adapter: Any) -> None:
        try:
            prove(absence, adapter)
        except Unproven as error:
            raise CheckFailure(error.got, error.expected, error.todo) from error

    listed = ", ".join(absence.features[:3]) + (", ..." if len(absence.features) > 3 else "")
    return AdapterQuestion(f"absence: {listed}", (), ask, "mend its probe")


def _answer(adapter: Adapter, question: AdapterQuestion) -> Finding:
    try:
        note = question.ask(adapter) or ""
    except CheckFailure as failure:
        return Finding(question.name, False, printable(failure.got), failure.expected, failure.todo or question.todo)
    except BaseException as error:  # KeyboardInterrupt and the like are an engine's answer here
        return Finding(question.name, False, f"raised {printable(format_error(error))}", "no exception", question.todo)
    return Finding(question.name, True, note=note)


def _has_arrays(adapter: Any) -> None:
    missing = {"array", "to_numpy"} - declared.written(adapter)
    if missing or type(adapter).to_numpy is Adapter.to_numpy:
        raise CheckFailure("no array, or no to_numpy", "both")


def _read_twice(adapter: Adapter, states: list[Any]) -> None:
    states.append(adapter.global_state())
    _restored(adapter, states[0])


def _restored(adapter: Adapter, *states: Any) -> None:
    for state in states:  # none, if it could not be read
        adapter.restore(state)
        if (now := adapter.global_state()) != state:
            raise CheckFailure(f"{now}", f"{state}")


if __name__ == "__main__":
    answer_questions(prepare)
