"""The process that derives scripts, curves and reports of programs with an engine (`derived`).

`python -m autograd_conformance.derive_worker ENGINE TOKEN TASK ...`. A task makes the function that answers for cells.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import msgspec

from autograd_conformance.derived import DerivedCurve, DerivedScript
from conformance import collection, compiled_trials, trial
from conformance.behaviour import Behaviour
from conformance.declaration import declared
from conformance.engines import EngineError
from conformance.laws.judge import Deviation
from conformance.messages import format_error, printable
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.plots.compute import PLOTTED, curve, place_of
from conformance.plots.model import Curve, CurvePlace, plotted_places
from conformance.programs.source.make_report import show_finding, show_seed
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.protocol import Adapter
from conformance.recording_adapter import FeatureMissing, RecordingAdapter
from conformance.results_file import read
from conformance.running.answers import Answer, answer_questions
from conformance.scripts.derivation import derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict


class NoCurve(Exception):
    """There is no curve; the message says why."""


def scripts(adapter: Adapter, chapters: str, results: str = "", verdict: str = "") -> Answer:
    """Derive the script of a cell, which is run unless results have its outcome, or its verdict is known."""
    gc.disable()  # it would look through the syntax trees of all chapters again and again
    cases = collection.cells(Path(chapters))
    outcomes = {row.id: row.outcome for row in read(Path(results)).results} if results else {}

    def answer(cell: str, begin: Callable[[], None]) -> DerivedScript:
        behaviour, case = cases[cell]
        outcome = Outcome(Verdict(verdict)) if verdict else outcomes.get(cell)
        # An adapter from outside may be anything, and so may what it raises; no Ctrl-C comes here: this process is in a
        # group apart from the terminal's.
        try:
            seen = outcome or compiled_trials.run(behaviour, adapter, case)
            return DerivedScript(derive(behaviour, case, adapter, seen))
        except BaseException as error:
            return DerivedScript(problem=_reason(error))

    return answer


def curves(adapter: Adapter, laws: str) -> Answer:
    """Compute the curve of a failing cell, or at the point at which another engine fails, by its name."""
    cells, places = collection.cells(Path(laws)), {place.name: place for place in plotted_places()}
    drawn: set[CurvePlace] = set()

    def answer(name: str, begin: Callable[[], None]) -> DerivedCurve:
        try:
            return at_place(places[name]) if name in places else of_cell(name, begin)
        except FeatureMissing as missing:
            # That this engine does not have the operation matters for its own cells alone.
            return DerivedCurve() if name in places else DerivedCurve(problem=_reason(missing))
        except BaseException as error:
            return DerivedCurve(problem=_reason(error))

    def at_place(place: CurvePlace) -> DerivedCurve:
        """The curve, unless it is that of a cell."""
        curve = None if place in drawn else _compute(TABLE[place.operation], place, adapter)
        return DerivedCurve(place, curve)

    def of_cell(cell: str, begin: Callable[[], None]) -> DerivedCurve:
        """The curve at the first point at which the law fails, if it is new."""
        law, case = cells[cell]
        place = _failing(law, case, adapter)
        # The law may have taken the time of a cell: the curve has as much for itself.
        begin()
        new = None if place in drawn else _compute(law.cases[str(case)][0], place, adapter)
        drawn.add(place)
        return DerivedCurve(place, new)

    return answer


def _failing(law: Behaviour, case: str | None, adapter: Adapter) -> CurvePlace:
    """The first point at which the law fails. Raises NoCurve."""
    outcome = trial.run(law, adapter, case)
    if not isinstance(outcome.raised, Deviation):
        raise NoCurve(f"when it was tried again: {outcome.verdict.value} {outcome.message}".strip())
    places = (place_of(point, PLOTTED[law.id]) for point in outcome.raised.points)
    if place := next(filter(None, places), None):
        return place
    raise NoCurve("the table does not lead to the point")


def _compute(operation: Operation, place: CurvePlace, adapter: Adapter) -> Curve:
    """The curve. Raises NoCurve where the table has no such place, and what the engine raises."""
    computed = curve(RecordingAdapter(adapter, declared(adapter, checked=False).absent), operation, place)
    if computed is None:
        raise NoCurve("the table has no such place")
    return computed


def _reason(error: BaseException) -> str:
    plain = isinstance(error, (NoCurve, FeatureMissing, Underivable, EngineError))
    return printable(str(error) if plain else format_error(error)) or "no reason is given"


def programs(adapter: Adapter, engine: str) -> Answer:
    """Make the report of a query, which is JSON."""

    def answer(query: str, begin: Callable[[], None]) -> ProgramReport:
        return _report(engine, msgspec.json.decode(query, type=ProgramQuery))

    return answer


def _report(engine: str, asked: ProgramQuery) -> ProgramReport:
    """The report, or why there is none: findings may be of any age, and their programs of any form."""
    kind, _, seed = asked.name.partition(":")
    try:
        if asked.program is not None:
            return show_finding(engine, asked.program, asked.oracle, asked.name, asked.signature)
        shown = show_seed(engine, kind, int(seed))
        return msgspec.structs.replace(shown, signature=asked.signature or shown.signature)
    except Exception as error:
        return ProgramReport(asked.name, engine, asked.signature, problem=_reason(error))


TASKS: dict[str, Callable[..., Answer]] = {task.__name__: task for task in (scripts, curves, programs)}

if __name__ == "__main__":
    answer_questions(lambda adapter, task, *arguments: TASKS[task](adapter, *arguments))
