"""The process that derives scripts, curves and reports of programs with an engine (`derived`).

`python -m autograd_conformance.derive_worker ENGINE TOKEN TASK ...`. A task makes the function that answers for cells.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

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
from conformance.running.header import digest
from conformance.scripts.derivation import derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict
from reports.beside import CurveLine, ScriptLine, read_curves, read_scripts


class NoCurve(Exception):
    """There is no curve; the message says why."""


def script(adapter: Adapter, chapters: str, verdict: str = "") -> Answer:
    """Derive the script of a cell, which is run unless its verdict is known."""
    cases = collection.cells(Path(chapters))

    def answer(cell: str, begin: Callable[[], None]) -> ScriptLine:
        behaviour, case = cases[cell]
        outcome = Outcome(Verdict(verdict)) if verdict else compiled_trials.run(behaviour, adapter, case)
        return _derive(cell, behaviour, case, adapter, outcome)

    return answer


def scripts(adapter: Adapter, chapters: str, results: str, target: str) -> Answer:
    """Derive the script of a cell of a results file; it is kept as long as adapter, check and outcome are the same."""
    gc.disable()  # it would look through the syntax trees of all chapters again and again
    cases, earlier = collection.cells(Path(chapters)), read_scripts(Path(target)).every
    rows = {row.id: row for row in read(Path(results)).results}
    about = f"{adapter.name} {adapter.version} {digest(adapter)} {_sources(Path(__file__).parent)}"

    def answer(cell: str, begin: Callable[[], None]) -> ScriptLine:
        row, (behaviour, case) = rows[cell], cases[cell]
        check = Path(behaviour.check.__code__.co_filename)
        key = f"{about} {_sources(check)} {row.verdict} {row.convention} {row.message}"
        # Messages may have lone surrogates, which UTF-8 alone does not encode.
        key = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:16]
        # Deriving takes longer than all of this: most scripts of a run are those of the run before.
        kept = earlier.get(cell)
        return kept if kept and kept.key == key else _derive(cell, behaviour, case, adapter, row.outcome, key)

    return answer


def _derive(
    cell: str, behaviour: Behaviour, case: str | None, adapter: Adapter, outcome: Outcome, key: str = ""
) -> ScriptLine:
    """A script, or why there is none. An adapter from outside may be anything, and so may what it raises here."""
    try:
        return ScriptLine(cell=cell, key=key, script=derive(behaviour, case, adapter, outcome))
    except BaseException as error:  # no Ctrl-C comes here: this process is in a group apart from the terminal's
        return ScriptLine(cell=cell, key=key, problem=_reason(error))


def _sources(path: Path) -> str:
    """A digest of a file, or of the files of a folder."""
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def curves(adapter: Adapter, laws: str, target: str) -> Answer:
    """Compute the curve of a failing cell, or at the point at which another engine fails, by its name."""
    cells, places = collection.cells(Path(laws)), {place.name: place for place in plotted_places()}
    drawn = set(read_curves(Path(target)).curves)

    def answer(name: str, begin: Callable[[], None]) -> CurveLine:
        try:
            return at_place(name, places[name]) if name in places else of_cell(name, begin)
        except BaseException as error:  # an adapter from outside may be anything, and so may what it raises here
            return CurveLine(cell=name, problem=_reason(error))

    def at_place(name: str, place: CurvePlace) -> CurveLine:
        """The curve, unless it is that of a cell; none if this engine does not have the operation."""
        if place in drawn:
            return CurveLine()  # not done, so that no line is written
        try:
            return CurveLine(cell=name, place=place, curve=_compute(TABLE[place.operation], place, adapter))
        except FeatureMissing:
            return CurveLine()

    def of_cell(cell: str, begin: Callable[[], None]) -> CurveLine:
        """The curve at the first point at which the law fails, if it is new."""
        law, case = cells[cell]
        place = _failing(law, case, adapter)
        # The law may have taken the time of a cell: the curve has as much for itself.
        begin()
        new = None if place in drawn else _compute(law.cases[str(case)][0], place, adapter)
        drawn.add(place)
        return CurveLine(cell=cell, place=place, curve=new)

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


def programs(adapter: Adapter, engine: str, findings: str = "") -> Answer:
    """Make the report of a finding in a file of them, or of the program KIND:SEED."""
    queries = msgspec.json.decode(Path(findings).read_bytes(), type=list[ProgramQuery]) if findings else []
    asked = {f"{query.name} {query.signature}": query for query in queries}

    def answer(name: str, begin: Callable[[], None]) -> ProgramReport:
        return _report(engine, asked.get(name) or ProgramQuery(name, ""))

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


TASKS: dict[str, Callable[..., Answer]] = {task.__name__: task for task in (script, scripts, curves, programs)}

if __name__ == "__main__":
    answer_questions(lambda adapter, task, *arguments: TASKS[task](adapter, *arguments))
