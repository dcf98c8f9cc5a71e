"""The smoke test itself, run in a process of its own beside the engine.

`python -m autograd_conformance.starting.sanity ENGINE` writes a JSON line before each question and one for its answer,
so that an engine that dies of a question is known by the last line.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import msgspec

from autograd_conformance.starting import declared
from autograd_conformance.starting.findings import Account, Begun, Finding, Odd, Refused, Task
from autograd_conformance.starting.questions import tasks
from autograd_conformance.starting.reach import account
from conformance.collecting import load_all
from conformance.engines import EngineError, load, parse
from conformance.messages import format_error, printable
from conformance.protocol import Absence, Adapter

__all__ = ["findings"]


def findings(adapter: Adapter) -> Iterator[Begun | Finding | Account]:
    """Every question that the adapter can be asked, and its answer; last, how far it has come."""
    before = adapter.global_state()
    written = declared.written(adapter)
    for task in _questions(adapter):
        if written.issuperset(task.needs):
            yield Begun(task.name)
            yield _answer(adapter, task)
    yield _answer(adapter, Task("global_state: as it was", (), lambda ad: _as_it_was(ad, before), "mend `restore`"))
    yield account(adapter.name, adapter.version, written, declared.absent(adapter), load_all())


def _questions(adapter: Adapter) -> Iterator[Task]:
    yield Task("declaration", (), lambda ad: None, "")  # it was held against the protocol when the adapter was loaded
    yield Task("verbs: their names", (), declared.misspelt, "rename it")
    yield Task("verbs: their arguments", (), declared.unlike_protocol, "mend the verb")
    yield Task("array and to_numpy are written", (), _has_arrays, "write them first")
    yield Task("global_state: restored", (), _restored, "mend `global_state` or `restore`")
    yield from tasks()
    for absence in adapter.absences:
        yield _probe(absence)


def _answer(adapter: Adapter, task: Task) -> Finding:
    try:
        task.ask(adapter)
    except Odd as odd:
        return Finding(task.name, False, printable(odd.got), odd.expected, odd.todo)
    except (Exception, SystemExit) as error:
        return Finding(task.name, False, f"raised {printable(format_error(error))}", "no exception", task.todo)
    return Finding(task.name, True)


def _has_arrays(adapter: Any) -> None:
    missing = {"array", "to_numpy"} - declared.written(adapter)
    if missing or type(adapter).to_numpy is Adapter.to_numpy:
        raise Odd("no array, or no to_numpy", "both", "write them first: every behaviour needs them")


def _restored(adapter: Adapter) -> None:
    state = adapter.global_state()
    adapter.restore(state)
    _as_it_was(adapter, state)


def _as_it_was(adapter: Adapter, state: Any) -> None:
    if (now := adapter.global_state()) != state:
        raise Odd(f"{now}", f"{state}", "return what can be compared by ==, and let `restore` set it back")


def _probe(absence: Absence) -> Task:
    todo = f"the engine may have it: write {absence.features[0]}, or mend the probe {absence.probe.__name__}"
    return Task(f"absence: {', '.join(absence.features)}", (), absence.probe, todo)


def main() -> None:
    """Nothing that the engine prints, from Python or from native code, gets between us and the reader of our lines."""
    warnings.simplefilter("ignore")
    lines = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    try:
        adapter = load(parse(sys.argv[1]))
    except EngineError as error:
        lines.write(msgspec.json.encode(Refused(str(error))) + b"\n")
        sys.exit(2)
    for one in findings(adapter):
        lines.write(msgspec.json.encode(one) + b"\n")


if __name__ == "__main__":
    main()
