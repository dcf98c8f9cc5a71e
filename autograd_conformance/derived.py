"""Scripts, curves and reports of programs, derived in a process that has the engine and is watched (`derive_worker`).

An adapter's code may do anything, so none of it runs here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import msgspec

from autograd_conformance.options import BadInput
from conformance import collection
from conformance.engines import EngineError
from conformance.known_failures import file_of, load
from conformance.operations import TABLE
from conformance.plots.compute import PLOTTED
from conformance.plots.model import Curve, CurvePlace, plotted_places
from conformance.programs.program import Program
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.results import ResultsFile
from conformance.results_file import read
from conformance.running.answers import AnsweringProcess, WorkerEnded
from conformance.scripts.derivation import SCRIPTED
from conformance.verdicts import Reason, Verdict
from reports.beside import Curves, Scripts, write_beside
from reports.model import Matrix, MatrixCell, MatrixEngine

WORKER = "autograd_conformance.derive_worker"
# Seconds for a cell, as in a run.
LIMIT_S = 30.0
# A law that fails looks at more points than one that holds, and a curve at forty: seconds for each of the two.
CURVE_LIMIT_S = 2 * LIMIT_S
# Cells in succession without which an engine is given up: each costs a process, and may cost the limit.
PATIENCE = 3
FAILED = (Verdict.FAIL, Verdict.DIFFERS)
# A finding that ended its process, or the suite: its program is not run again.
ENDED = (Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR)


class DerivedScript(msgspec.Struct, omit_defaults=True):
    """The script of a cell, or the reason why there is none."""

    script: str = ""
    problem: str = ""


class DerivedCurve(msgspec.Struct, omit_defaults=True):
    """The place of a plot and the curve there, unless an earlier answer has it; or the reason why there is none."""

    place: CurvePlace | None = None
    curve: Curve | None = None
    problem: str = ""


A = TypeVar("A", DerivedScript, DerivedCurve, ProgramReport)


def _derive(kind: type[A], limit: float, cells: Sequence[str], engine: str, *task: str) -> tuple[dict[str, A], str]:
    """The things derived of each cell, and the reason if the engine is given up.

    A cell in which the process ends, or takes longer than the limit, has that as its problem.
    """
    derived, left, lost = dict[str, A](), deque(cells), 0
    while left:
        try:
            for answer in _answers(kind, limit, left, engine, *task):
                derived[left.popleft()], lost = answer, 0
        except EngineError as error:
            return derived, str(error)
        except WorkerEnded as ended:
            lost += 1
            # Before the first cell it is the engine or its adapter that fails: another process would fail, too.
            if not ended.question or lost == PATIENCE:
                return derived, str(ended)
            derived[left.popleft()] = kind(problem=str(ended))
    return derived, ""


def _answers(kind: type[A], limit: float, cells: Sequence[str], engine: str, *task: str) -> Iterator[A]:
    """Yield the answer to each cell, of a new process. Raises EngineError and WorkerEnded."""
    with closing(AnsweringProcess(engine, limit, WORKER, *task)) as process:
        for _, answer in process.ask(cells):
            yield msgspec.json.decode(answer, type=kind)


def show_script(cell: str, engine: str, chapters: Path | None, limit: float = LIMIT_S) -> str:
    """The script of a cell. Raises BadInput with the reason where there is none."""
    task = limit, [cell], engine, "scripts", _folder(chapters)
    try:
        try:
            (answer,) = _answers(DerivedScript, *task)
        except WorkerEnded as ended:
            if ended.verdict is None or not ended.question:
                raise
            # The engine ended the process, or hangs, as it did in the run: its script is derived without a trial.
            (answer,) = _answers(DerivedScript, *task, "", ended.verdict.value)
    except (EngineError, WorkerEnded) as error:
        answer = DerivedScript(problem=str(error))
    if answer.script:
        return answer.script
    raise BadInput(f"{cell} on {engine}: no script: {answer.problem}")


def derive_scripts(results: Path, chapters: Path | None = None, limit: float = LIMIT_S) -> str:
    """Write the scripts beside a results file. Returns the reason if the engine is given up; else it is empty.

    Raises ResultsError if there are no results, and ReportError if nothing can be written.
    """
    file, folder = read(results), _folder(chapters)
    cases = collection.cells(Path(folder))
    cells = [row.id for row in file.results if row.verdict in SCRIPTED and row.id in cases]
    engine = file.header.engine.spec
    derived, problem = _derive(DerivedScript, limit, cells, engine, "scripts", folder, str(results))
    texts = {cell: answer.script for cell, answer in derived.items() if answer.script}
    write_beside(results, Scripts(file.header.started, texts, _problems(derived)))
    return problem


def derive_curves(results: Path, laws: Path, limit: float = CURVE_LIMIT_S) -> str:
    """Write the curves of failing cells, and at the points at which other engines fail, beside a results file.

    Returns the reason where the engine is given up, and raises, as for scripts.
    """
    file = read(results)
    operations = {row.id.partition("[")[2].rstrip("]") for row in file.results} & TABLE.keys()
    places = [place.name for place in plotted_places() if place.operation in operations]
    cells = _failing(file, laws)
    # First those of cells: where both are at one place, the curve is that of the cell.
    derived, problem = _derive(DerivedCurve, limit, [*cells, *places], file.header.engine.spec, "curves", _folder(laws))
    curves: dict[CurvePlace, Curve] = {}
    for answer in derived.values():
        # A second process draws anew what the first has drawn.
        if answer.curve:
            curves.setdefault(answer.curve.place, answer.curve)
    at = {cell: place for cell in cells if (place := derived.get(cell, DerivedCurve()).place)}
    write_beside(results, Curves(file.header.started, list(curves.values()), at, _problems(derived)))
    return problem


def _problems(derived: Mapping[str, DerivedScript | DerivedCurve]) -> dict[str, str]:
    return {cell: answer.problem for cell, answer in derived.items() if answer.problem}


def _failing(file: ResultsFile, laws: Path) -> list[str]:
    """The cells with a curve: of laws that compare a derivative, unless the engine raised an error and gave none."""
    wrong = {row.id for row in file.results if row.verdict in FAILED and row.reason is not Reason.RAISED}
    return [cell for cell in collection.cells(laws) if cell in wrong and PLOTTED.fullmatch(cell.partition("[")[0])]


def show_program(engine: str, name: str, limit: float = LIMIT_S) -> ProgramReport:
    """The program of KIND:SEED on an engine. Where its process ends or takes too long, `problem` has the reason."""
    reports, problem = _program_reports(engine, [ProgramQuery(name, "")], limit)
    return reports[0] if reports else ProgramReport(problem=problem)


def _program_reports(spec: str, queries: Sequence[ProgramQuery], limit: float) -> tuple[list[ProgramReport], str]:
    """The reports of the first queries, and why the engine was given up if those are not all."""
    asked = {msgspec.json.encode(query).decode(): query for query in queries}
    derived, problem = _derive(ProgramReport, limit, [*asked], spec, "programs", spec)
    # Without a program, the report has its problem alone.
    named = (
        msgspec.structs.replace(report, name=asked[cell].name, signature=asked[cell].signature or report.signature)
        for cell, report in derived.items()
    )
    return list(named), problem


def with_program_reports(matrix: Matrix, limit: float = LIMIT_S) -> Matrix:
    """The same with the report of each signature that has a program, or an example among the known signatures.

    Raises KnownFailureError for a file of known signatures that is wrong.
    """
    shown = {
        (engine.column, report.signature): report
        for engine in matrix.engines
        for report in _program_reports(engine.spec, _findings_to_show(matrix, engine), limit)[0]
    }
    cells = [msgspec.structs.replace(cell, shown=shown.get((cell.engine, cell.behaviour))) for cell in matrix.cells]
    return msgspec.structs.replace(matrix, cells=cells)


def _findings_to_show(matrix: Matrix, engine: MatrixEngine) -> list[ProgramQuery]:
    """The findings on an engine whose programs can be run again."""
    listed = load(file_of(engine.name), engine.name, engine.version, "programs")
    examples = {known.cell: known.example for known in listed}
    cells = [cell for cell in matrix.cells if cell.engine == engine.column]
    findings = [_finding_to_show(cell, examples.get(cell.behaviour, "")) for cell in cells]
    return [finding for finding in findings if finding is not None]


def _finding_to_show(cell: MatrixCell, example: str) -> ProgramQuery | None:
    if cell.program and cell.program.steps and cell.verdict not in ENDED:
        program = msgspec.convert(cell.program.steps, Program)
        return ProgramQuery(cell.program.name, cell.behaviour, cell.program.oracle, program)
    return ProgramQuery(example, cell.behaviour) if example else None


def _folder(chapters: Path | None) -> str:
    return str((chapters or collection.CHAPTERS).resolve())
