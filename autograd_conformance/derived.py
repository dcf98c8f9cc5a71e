"""Scripts, curves and reports of programs, derived in a process that has the engine and is watched (`derive_worker`).

An adapter's code may do anything, so none of it runs here.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from autograd_conformance.options import BadInput
from conformance import collection
from conformance.engines import EngineError
from conformance.known_failures import file_of, load
from conformance.operations import TABLE
from conformance.plots.compute import PLOTTED
from conformance.plots.model import plotted_places
from conformance.programs.program import Program
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.results import ResultRecord, ResultsFile
from conformance.results_file import read
from conformance.running.answers import AnsweringProcess, WorkerEnded
from conformance.scripts.derivation import SCRIPTED
from conformance.verdicts import Reason, Verdict
from reports.beside import CurveLine, ScriptLine, beside, encode_line, read_lines, read_scripts
from reports.files import replace_all
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


L = TypeVar("L", ScriptLine, CurveLine, ProgramReport)


@dataclass(frozen=True)
class Derivation(Generic[L]):
    """A kind of derived thing, as lines of a type. `without(cell, reason)` is the line of a cell that has none."""

    line: type[L]
    without: Callable[[str, str], L]

    def append_all(self, stream: IO[bytes], limit: float, cells: Sequence[str], engine: str, *task: str) -> str:
        """Append the lines of cells to a file. Returns the reason if the engine is given up."""
        left, lost = deque(cells), 0
        while left:
            stream.flush()  # the next process reads there what is derived already
            try:
                for line in self.lines(limit, left, engine, *task):
                    lost = 0
                    left.popleft()
                    if line.done:
                        stream.write(encode_line(line))
                        stream.flush()
            except EngineError as error:
                return str(error)
            except WorkerEnded as ended:
                lost += 1
                # Before the first cell it is the engine or its adapter that fails: another process would fail, too.
                if not ended.question or lost == PATIENCE:
                    return str(ended)
                stream.write(encode_line(self.without(left.popleft(), str(ended))))
        return ""

    def lines(self, limit: float, cells: Sequence[str], engine: str, *task: str) -> Iterator[L]:
        """Yield the line of each cell, of a new process. Raises EngineError and WorkerEnded."""
        with closing(AnsweringProcess(engine, limit, WORKER, *task)) as process:
            for _, answer in process.ask(cells):
                yield msgspec.json.decode(answer, type=self.line)


def _program_without(cell: str, problem: str) -> ProgramReport:
    name, _, signature = cell.partition(" ")
    return ProgramReport(name, signature=signature, problem=problem)


SCRIPTS = Derivation(ScriptLine, lambda cell, problem: ScriptLine(cell=cell, problem=problem))
CURVES = Derivation(CurveLine, lambda cell, problem: CurveLine(cell=cell, problem=problem))
PROGRAMS = Derivation(ProgramReport, _program_without)


def show_script(cell: str, engine: str, chapters: Path | None, limit: float = LIMIT_S) -> str:
    """The script of a cell. Raises BadInput with the reason where there is none."""
    task = engine, "script", _folder(chapters)
    try:
        try:
            (line,) = SCRIPTS.lines(limit, [cell], *task)
        except WorkerEnded as ended:
            if ended.verdict is None or not ended.question:
                raise
            # The engine ended the process, or hangs, as it did in the run: its script is derived without a trial.
            (line,) = SCRIPTS.lines(limit, [cell], *task, ended.verdict.value)
        if line.script:
            return line.script
        problem = line.problem
    except (EngineError, WorkerEnded) as error:
        problem = str(error)
    raise BadInput(f"{cell} on {engine}: no script: {problem}")


def derive_scripts(results: Path, chapters: Path | None = None, limit: float = LIMIT_S) -> str:
    """Bring the scripts beside a results file up to date. Returns the reason where none could be; else it is empty.

    A cell in which the process dies, or takes longer than the limit, has that reason in the place of a script. Raises
    ResultsError if there are no results, and OSError if nothing can be written.
    """
    file, target = read(results), beside(results, "scripts")
    cases = collection.cells(Path(_folder(chapters)))
    cells = [row.id for row in file.results if row.verdict in SCRIPTED and row.id in cases]
    target.parent.mkdir(parents=True, exist_ok=True)
    # Appended: the worker reads there which scripts of the run before are still right.
    with target.open("ab") as stream:
        # The line before it may have been torn.
        stream.write(b"\n" + encode_line(ScriptLine(started=file.header.started)))
        task = file.header.engine.spec, "scripts", _folder(chapters), str(results), str(target)
        problem = SCRIPTS.append_all(stream, limit, cells, *task)
    if not problem:
        scripts = read_scripts(target)
        lines = [ScriptLine(started=scripts.started), *scripts.cells.values()]
        replace_all(target.parent, {target.name: b"".join(map(encode_line, lines))})
    return problem


def derive_curves(results: Path, laws: Path, limit: float = CURVE_LIMIT_S) -> str:
    """Write the curves of failing cells, and at the points at which other engines fail, beside a results file.

    Returns the reason where none could be, and raises, as for scripts.
    """
    file, target = read(results), beside(results, "curves")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Anew, unlike scripts: a curve has no key by which an earlier one could be kept.
    with target.open("wb") as stream:
        stream.write(encode_line(CurveLine(started=file.header.started)))
        task = file.header.engine.spec, "curves", _folder(laws), str(target)
        operations = {row.id.partition("[")[2].rstrip("]") for row in file.results} & TABLE.keys()
        places = [place.name for place in plotted_places() if place.operation in operations]
        # First those of cells: where both are at one place, the curve is that of the cell.
        return CURVES.append_all(stream, limit, [*_failing(file, laws), *places], *task)


def _failing(file: ResultsFile, laws: Path) -> list[str]:
    """The cells with a curve: of laws that compare a derivative, unless the engine raised an error and gave none."""
    rows = {row.id: row for row in file.results}

    def has_curve(row: ResultRecord) -> bool:
        return row.verdict in FAILED and row.reason is not Reason.RAISED and row.id.partition("[")[0] in PLOTTED

    return [cell for cell in collection.cells(laws) if cell in rows and has_curve(rows[cell])]


def show_program(engine: str, name: str, limit: float = LIMIT_S) -> ProgramReport:
    """The program of KIND:SEED on an engine. Where its process ends or takes too long, `problem` says so."""
    try:
        (shown,) = PROGRAMS.lines(limit, [name], engine, "programs", engine)
    except (EngineError, WorkerEnded) as error:
        return ProgramReport(name, engine, problem=str(error))
    return shown


def with_program_reports(matrix: Matrix, limit: float = LIMIT_S) -> Matrix:
    """The same with the report of each signature that has a program, or an example among the known signatures.

    Raises KnownFailureError for a file of known signatures that is wrong.
    """
    shown = {
        (engine.column, line.signature): line
        for engine in matrix.engines
        for line in _show_findings(engine.spec, _findings_to_show(matrix, engine), limit)
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


def _show_findings(spec: str, findings: list[ProgramQuery], limit: float) -> list[ProgramReport]:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "findings.json", Path(folder) / "shown.ndjson"
        source.write_bytes(msgspec.json.encode(findings))
        cells = [f"{finding.name} {finding.signature}" for finding in findings]
        with target.open("wb") as stream:
            PROGRAMS.append_all(stream, limit, cells, spec, "programs", spec, str(source))
        return list(read_lines(target, ProgramReport))


def _folder(chapters: Path | None) -> str:
    return str((chapters or collection.CHAPTERS).resolve())
