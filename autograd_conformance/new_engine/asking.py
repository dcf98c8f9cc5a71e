"""The check of an adapter, run in a process of its own beside the engine.

`python -m autograd_conformance.new_engine.asking ENGINE` writes a JSON line before each question and
one for its answer, so that an engine that dies of a question is known by the last line.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import msgspec

from autograd_conformance.new_engine import declared, probes, questions
from autograd_conformance.new_engine.reach import reach
from autograd_conformance.new_engine.records import Begun, CheckFailure, Finding, Question, Reach, Unloadable
from conformance.collecting import load_all
from conformance.engines import EngineError, load, parse
from conformance.messages import format_error, printable
from conformance.protocol import Adapter

__all__ = ["findings"]


def findings(adapter: Adapter) -> Iterator[Begun | Finding | Reach]:
    """Every question that the adapter can be asked, and its answer; last, how far it has come."""
    before = adapter.global_state()
    written = declared.written(adapter)
    for question in _questions(adapter):
        if written.issuperset(question.needs):
            yield Begun(question.name)
            yield _answer(adapter, question)
    last = Question("global_state: as it was", (), lambda ad: _as_it_was(ad, before), "mend `restore`")
    yield _answer(adapter, last)
    yield reach(adapter.name, adapter.version, written, declared.absent(adapter), load_all())


def _questions(adapter: Adapter) -> Iterator[Question]:
    yield Question("verbs: their names", (), declared.misspelt, "rename it")
    yield Question("verbs: their arguments", (), declared.unlike_protocol, "mend the verb")
    yield Question("verbs: no errors of their own", (), declared.raising, "mend the verb")
    yield Question("array and to_numpy are written", (), _has_arrays, "write them first")
    yield Question("missing_dtypes", (), _missing_dtypes, "mend `missing_dtypes`")
    yield Question("global_state: restored", (), _restored, "mend `global_state` or `restore`")
    yield from questions.questions(frozenset(adapter.missing_dtypes))
    yield from probes.questions(adapter)


def _answer(adapter: Adapter, question: Question) -> Finding:
    try:
        note = question.ask(adapter) or ""
    except CheckFailure as failure:
        return Finding(question.name, False, printable(failure.got), failure.expected, failure.todo)
    except (Exception, SystemExit) as error:
        return Finding(question.name, False, f"raised {printable(format_error(error))}", "no exception", question.todo)
    return Finding(question.name, True, note=note)


def _has_arrays(adapter: Any) -> None:
    missing = {"array", "to_numpy"} - declared.written(adapter)
    if missing or type(adapter).to_numpy is Adapter.to_numpy:
        raise CheckFailure("no array, or no to_numpy", "both", "write them first: every behaviour needs them")


def _missing_dtypes(adapter: Adapter) -> None:
    if unknown := sorted(set(adapter.missing_dtypes) - set(questions.DTYPES)):
        raise CheckFailure(", ".join(unknown), f"some of {', '.join(questions.DTYPES)}", "mend `missing_dtypes`")


def _restored(adapter: Adapter) -> None:
    state = adapter.global_state()
    adapter.restore(state)
    _as_it_was(adapter, state)


def _as_it_was(adapter: Adapter, state: Any) -> None:
    if (now := adapter.global_state()) != state:
        raise CheckFailure(f"{now}", f"{state}", "return what can be compared by ==, and let `restore` set it back")


def main() -> None:
    """Nothing that the engine prints, from Python or from native code, gets between us and the reader of our lines."""
    warnings.simplefilter("ignore")
    lines = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    try:
        adapter = load(parse(sys.argv[1]))
    except EngineError as error:
        lines.write(msgspec.json.encode(Unloadable(str(error))) + b"\n")
        sys.exit(2)
    for one in findings(adapter):
        lines.write(msgspec.json.encode(one) + b"\n")


if __name__ == "__main__":
    main()
