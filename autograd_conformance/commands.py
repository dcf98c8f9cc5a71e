"""What the commands do. Imported only when one of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograd_conformance import display
from autograd_conformance.outcomes.commands import reported
from autograd_conformance.progress import progress
from autograd_conformance.records import engine_records, shown_record
from autograd_conformance.running import EngineRun, Failure, Options, finish, follow, occupied
from autograd_conformance.scripting import derive_scripts, script
from autograd_conformance.selection import behaviours_of, cells_of, suite
from autograd_conformance.shared import Form, Talk
from autograd_conformance.terminal import console, print_json
from conformance.collecting import CHAPTERS
from conformance.describe import behaviour_record
from conformance.engines import installed, parse
from reports.reading import joined

__all__ = ["engines", "list_behaviours", "run", "show", "show_script"]


def run(
    engines: Sequence[str], behaviours: Sequence[str], form: Form, chapters: Path | None, output: Path, **options: Any
) -> int:
    """Run the engines, write the report, and say what is unexpected. Returns the exit status."""
    for engine in engines:
        parse(engine)
    cells = cells_of(behaviours, suite(chapters))
    chosen = Options(output, cells, chapters=(chapters or CHAPTERS).resolve(), **options)
    with occupied(output):
        return _conclude(_followed(engines, chosen, form.talk), chosen, form)


def _followed(engines: Sequence[str], options: Options, talk: Talk) -> list[EngineRun]:
    unique = list(dict.fromkeys(engines))
    with progress(unique, talk) as tell:
        return follow(unique, options, tell)


def _conclude(runs: Sequence[EngineRun], options: Options, form: Form) -> int:
    """Report what came to an end, even where another engine did not; that one is then the error of the call."""
    finished, failures = [], []
    for one in runs:
        try:
            finished.append(finish(one))
            derive_scripts(finished[-1], options.chapters)
        except Failure as failure:
            failures.append(failure)
    status = reported(joined(finished), options.output, form) if finished else 0
    if failures:
        raise Failure("; ".join(map(str, failures)))
    return status


def list_behaviours(words: Sequence[str], chapters: Path | None, form: Form) -> None:
    """Print behaviours with level and statement."""
    declared = behaviours_of(words, chapters)
    if form.as_json:
        print_json([behaviour_record(one, one.ids()) for one in declared])
    else:
        display.behaviours(console(), declared, form.talk)


def show(word: str, chapters: Path | None, form: Form) -> None:
    """Print one or more behaviours in full, with the code of the check."""
    shown = [shown_record(one) for one in behaviours_of([word], chapters)]
    if form.as_json:
        print_json(shown)
        return
    for one in shown:
        display.behaviour(console(), one, form.talk)


def show_script(word: str, engine: str, chapters: Path | None, form: Form) -> None:
    """Print the script of a cell for an engine."""
    text = script(word, engine, chapters)
    if form.as_json:
        print_json({"script": text})
    else:
        print(text, end="")


def engines(form: Form) -> None:
    """Print the adapters that are registered, and whether their engines are there."""
    found = engine_records(installed())
    if form.as_json:
        print_json(found)
    else:
        display.engines(console(), found, form.talk)
