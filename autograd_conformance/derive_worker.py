"""The process that derives scripts, curves and reports of programs with an engine (`derived`).

`python -m autograd_conformance.derive_worker ENGINE TOKEN TASK ...`. A task makes the function that answers for cells.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from autograd_conformance.derived import DerivedCurve, DerivedScript
from conformance import collection, compiled_trials, trial
from conformance.behaviour import Behaviour
from conformance.declaration import declared
from conformance.engines import EngineError
from conformance.laws.judge import Deviation
from conformance.messages import format_error, printable
from conformance.operations import TABLE
from conformance.plots.compute import NoCurve, curve, order_of, place_of
from conformance.plots.model import CurvePlace, plotted_places
from conformance.programs.source.make_report import show_finding, show_seed
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.protocol import Adapter
from conformance.recording_adapter import FeatureMissing, RecordingAdapter
from conformance.results_file import read
from conformance.running.answers import Answer, answer_questions
from conformance.scripts.derivation import derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict


def scripts(adapter: Adapter, chapters: str, results: str = "", verdict: str = "") -> Answer:
    """Derive the script of a cell, which is run unless results have its outcome, or its verdict is known."""
    gc.disable()  # it would look through the syntax trees of all chapters again and again
    cases = collection.cells(Path(chapters))
    outcomes = {row.id: row.outcome for row in read(Path(results)).results} if results else {}

    def answer(cell: str, begin: Callable[[], None]) -> DerivedScript:
        behaviour, case = cases[cell]
        known = Outcome(Verdict(verdict)) if verdict else outcomes.get(cell)
        return DerivedScript(derive(behaviour, case, adapter, known or compiled_trials.run(behaviour, adapter, case)))

    return answer


def curves(adapter: Adapter, laws: str) -> Answer:
    """Compute the curve of a failing cell, or at the point at which another engine fails, by its name."""
    cells, places = collection.cells(Path(laws)), {place.name: place for place in plotted_places()}
    drawn: set[CurvePlace] = set()

    def answer(name: str, begin: Callable[[], None]) -> DerivedCurve:
        place = places.get(name) or _failing(*cells[name], adapter)
        # The law may have taken the time of a cell: the curve has as much for itself.
        begin()
        try:
            new = None if place in drawn else curve(_recording(adapter), TABLE[place.operation], place)
        except FeatureMissing:
            # That this engine does not have the operation matters for its own cells alone.
            if name in places:
                return DerivedCurve()
            raise
        drawn.add(place)
        return DerivedCurve(place, new)

    return answer


def _recording(adapter: Adapter) -> RecordingAdapter:
    return RecordingAdapter(adapter, declared(adapter, checked=False).absent)


def _failing(law: Behaviour, case: str | None, adapter: Adapter) -> CurvePlace:
    """The first point at which the law fails. Raises NoCurve."""
    outcome = trial.run(law, adapter, case)
    if not isinstance(outcome.raised, Deviation):
        raise NoCurve(f"when it was tried again: {outcome.verdict.value} {outcome.message}".strip())
    places = (place_of(point, order_of(law.id)) for point in outcome.raised.points)
    if place := next(filter(None, places), None):
        return place
    raise NoCurve("the table does not lead to the point")


def programs(adapter: Adapter, engine: str) -> Answer:
    """Make the report of a query, which is JSON. Findings may be of any age, and their programs of any form."""

    def answer(query: str, begin: Callable[[], None]) -> ProgramReport:
        asked = msgspec.json.decode(query, type=ProgramQuery)
        if asked.program is not None:
            return show_finding(engine, asked.program, asked.oracle, asked.name, asked.signature)
        kind, _, seed = asked.name.partition(":")
        return show_seed(engine, kind, int(seed))

    return answer


# The type of the answers of each task, and what prepares the function that gives them.
TASKS: dict[str, tuple[type, Callable[..., Answer]]] = {
    "scripts": (DerivedScript, scripts),
    "curves": (DerivedCurve, curves),
    "programs": (ProgramReport, programs),
}


def prepare(adapter: Adapter, task: str, *arguments: str) -> Answer:
    """The function that derives; what it cannot derive has the reason as its problem."""
    kind, prepared = TASKS[task]
    derived = prepared(adapter, *arguments)

    def answer(question: str, begin: Callable[[], None]) -> Any:
        # An adapter from outside may be anything, and so may what it raises; no Ctrl-C comes here: this process is in a
        # group apart from the terminal's.
        try:
            return derived(question, begin)
        except BaseException as error:
            plain = isinstance(error, (NoCurve, FeatureMissing, Underivable, EngineError))
            return kind(problem=printable(str(error) if plain else format_error(error)) or "no reason is given")

    return answer


if __name__ == "__main__":
    answer_questions(prepare)
