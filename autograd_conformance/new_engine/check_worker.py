"""The check of an adapter, run in a separate process beside the engine.

`python -m autograd_conformance.new_engine.check_worker ENGINE` writes a JSON line before each question and
one for its answer, so that the last line names a question that ends the process.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

from autograd_conformance.new_engine import declared, questions
from autograd_conformance.new_engine.reach import reach
from autograd_conformance.new_engine.records import AdapterQuestion, CheckFailure, Finding, Reach, Unloadable
from autograd_conformance.worker_lines import line_stream
from conformance.absence_proofs import Unproven, prove
from conformance.collection import load_all
from conformance.engines import EngineError, load, parse
from conformance.messages import format_error, printable
from conformance.protocol import Absence, Adapter
from reports.beside import encode_line

RESTORE = "return what can be compared by ==, and let `restore` set it back"


def findings(adapter: Adapter) -> Iterator[Finding | Reach]:
    """Ask the questions for which the adapter has the verbs: a finding before and after each, then its reach."""
    for question in _questions(adapter):
        if not question.needs or declared.written(adapter).issuperset(question.needs):
            yield Finding(question.name, False, todo=question.todo)  # unless an answer follows
            yield _answer(adapter, question)
    yield Finding("cells within reach", False)
    yield reach(adapter.name, str(adapter.version), declared.written(adapter), declared.absent(adapter), load_all())


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


def main() -> None:
    """Write the findings, apart from anything that the engine prints, from Python or from native code."""
    warnings.simplefilter("ignore")
    lines = line_stream()
    try:
        for finding in findings(load(parse(sys.argv[1]))):
            lines.write(encode_line(finding))
    except EngineError as error:  # which only loading raises: an answer may have any exception
        lines.write(encode_line(Unloadable(str(error))))


if __name__ == "__main__":
    main()
