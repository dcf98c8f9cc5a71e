"""Scripts, curves and reports of programs, derived in a process that has the engine and is watched.

An adapter's code may do anything, so none of it runs here. The process (`derive_worker`) writes JSON lines: one when it
begins a cell, one when that is done, and an empty one at the end.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from autograd_conformance.options import BadInput
from autograd_conformance.worker_lines import WorkerEnded, worker_lines
from conformance.collection import CHAPTERS
from conformance.known_failures import file_of, load
from conformance.programs.program import Program
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.results import Header, ResultsError
from conformance.results_file import records
from conformance.verdicts import Verdict
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
# A finding that ended its process, or the suite: its program is not run again.
ENDED = (Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR)


# A line about a cell: that it is begun, or what is derived of it.
L = TypeVar("L", ScriptLine, CurveLine, ProgramReport)


@dataclass(frozen=True)
class Derivation(Generic[L]):
    """A kind of derived thing, as lines of a type. `without(cell, reason)` is the line of a cell that has none."""

    name: str
    line: type[L]
    without: Callable[[str, str], L]

    def append_all(self, stream: IO[bytes], limit: float, *task: str) -> str:
        """Append lines to a file until all are there. Returns the reason if the engine is given up."""
        lost = 0
        while True:
            stream.flush()  # the next process reads there what is still to do
            begun = ""
            try:
                for line in self.lines(limit, *task):
                    begun = "" if line.done else line.cell
                    if not begun:
                        lost = 0
                        stream.write(encode_line(line))
                        stream.flush()
                return ""
            except WorkerEnded as ended:
                lost += 1
                # Before the first cell it is the engine or its adapter that fails: another process would fail, too.
                if not begun or lost == PATIENCE:
                    return _reason(ended)
                stream.write(encode_line(self.without(begun, _reason(ended))))

    def lines(self, limit: float, *task: str) -> Iterator[L]:
        """Start the worker, and yield its lines until the last, which is empty. Raises WorkerEnded."""
        with closing(worker_lines(WORKER, limit, *task)) as texts:
            for text in texts:
                try:
                    line = msgspec.json.decode(text, type=self.line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    raise WorkerEnded(f"something else than a {self.name} was written by it", 1) from None
                if line == self.line():
                    return
                yield line


def _program_without(cell: str, problem: str) -> ProgramReport:
    name, _, signature = cell.partition(" ")
    return ProgramReport(name, signature=signature, problem=problem)


SCRIPTS = Derivation("script", ScriptLine, lambda cell, problem: ScriptLine(cell=cell, problem=problem))
CURVES = Derivation("curve", CurveLine, lambda cell, problem: CurveLine(cell=cell, problem=problem))
PROGRAMS = Derivation("program", ProgramReport, _program_without)


def show_script(cell: str, engine: str, chapters: Path | None, limit: float = LIMIT_S) -> str:
    """The script of a cell. Raises BadInput with the reason where there is none."""
    task = "script", _folder(chapters), engine, cell
    try:
        try:
            return "".join(line.script for line in SCRIPTS.lines(limit, *task))
        except WorkerEnded as ended:
            if ended.status is not None and ended.status >= 0:
                raise
            # The engine ended the process, or hangs, as it did in the run: its script is derived without a trial.
            verdict = "timeout" if ended.status is None else "crash"
            return "".join(line.script for line in SCRIPTS.lines(limit, *task, verdict))
    except WorkerEnded as ended:
        raise BadInput(f"{cell} on {engine}: no script: {_reason(ended)}") from None


def derive_scripts(results: Path, chapters: Path | None = None, limit: float = LIMIT_S) -> str:
    """Bring the scripts beside a results file up to date. Returns the reason where none could be; else it is empty.

    A cell in which the process dies, or takes longer than the limit, has that reason in the place of a script. Raises
    ResultsError if there are no results, and OSError if nothing can be written.
    """
    header, target = _header(results), beside(results, "scripts")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("ab") as stream:
        # The line before it may have been torn.
        stream.write(b"\n" + encode_line(ScriptLine(started=header.started)))
        problem = SCRIPTS.append_all(stream, limit, "scripts", _folder(chapters), str(results), str(target))
    if not problem:
        scripts = read_scripts(target)
        lines = [ScriptLine(started=scripts.started), *scripts.cells.values()]
        replace_all(target.parent, {target.name: b"".join(map(encode_line, lines))})
    return problem


def derive_curves(results: Path, laws: Path, limit: float = CURVE_LIMIT_S) -> str:
    """Write the curves beside a results file. Returns the reason where none could be, and raises, as for scripts."""
    header, target = _header(results), beside(results, "curves")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as stream:
        stream.write(encode_line(CurveLine(started=header.started)))
        return CURVES.append_all(stream, limit, "curves", _folder(laws), str(results), str(target))


def show_program(engine: str, name: str, limit: float = LIMIT_S) -> ProgramReport:
    """The program of KIND:SEED on an engine. Where its process ends or takes too long, `problem` says so."""
    try:
        *_, shown = PROGRAMS.lines(limit, "program", engine, name)
    except WorkerEnded as ended:
        return ProgramReport(name, engine, problem=_reason(ended))
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
    if not findings:
        return []
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "findings.json", Path(folder) / "shown.ndjson"
        source.write_bytes(msgspec.json.encode(findings))
        with target.open("wb") as stream:
            PROGRAMS.append_all(stream, limit, "programs", spec, str(source), str(target))
        return list(read_lines(target, ProgramReport))


def _reason(ended: WorkerEnded) -> str:
    """The error that the process printed, else how it ended."""
    return ended.printed if ended.printed and ended.status and ended.status > 0 else str(ended)


def _header(results: Path) -> Header:
    """The header of a results file. Raises ResultsError if it has none."""
    header = next(records(results), None)
    if not isinstance(header, Header):
        raise ResultsError(f"{results}: does not begin with a header; give a results file written by a run")
    return header


def _folder(chapters: Path | None) -> str:
    return str((chapters or CHAPTERS).resolve())
