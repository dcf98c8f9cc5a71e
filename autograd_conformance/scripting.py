"""Scripts, derived in the process of their engine (`deriving`)."""

from __future__ import annotations

from pathlib import Path

from autograd_conformance.deriving import LIMIT_S, WorkerEnded, WorkerLines, header_of
from conformance.collection import CHAPTERS
from reports.files import replace_all
from reports.lines import encode_line
from reports.scripts import ScriptLine, read_scripts, scripts_file

__all__ = ["derive_scripts", "show_script"]

WORKER = "autograd_conformance.scripts_worker"


def show_script(cell: str, engine: str, chapters: Path | None, limit: float = LIMIT_S) -> tuple[str, str]:
    """The script of a cell, or the reason why there is none."""
    try:
        try:
            return _shown(chapters, limit, engine, cell), ""
        except WorkerEnded as ended:
            if ended.status is not None and ended.status >= 0:
                raise
            # The engine ended the process, or hangs, as it did in the run: its script is derived without a trial.
            seen = "timeout" if ended.status is None else "crash"
            return _shown(chapters, limit, engine, cell, "--seen", seen), ""
    except WorkerEnded as ended:
        return "", str(ended)


def _shown(chapters: Path | None, limit: float, *task: str) -> str:
    return "".join([line.script for line in _worker(chapters, limit).said("show", *task)])


def derive_scripts(results: Path, chapters: Path | None = None, limit: float = LIMIT_S) -> str:
    """Bring the scripts beside a results file up to date. Gives the reason where none could be; else it is empty.

    A cell in which the process dies, or takes longer than the limit, has that reason in the place of a script. Raises
    ResultsError if there are no results, and OSError if nothing can be written.
    """
    header = header_of(results)
    target = scripts_file(results)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("ab") as stream:
        # The line before it may have been torn.
        stream.write(b"\n" + encode_line(ScriptLine(started=header.started)))
        problem = _worker(chapters, limit).append_all(stream, "derive", str(results), str(target))
    if not problem:
        found = read_scripts(target)
        lines = [ScriptLine(started=found.started), *found.cells.values()]
        replace_all(target.parent, {target.name: b"".join(map(encode_line, lines))})
    return problem


def _worker(chapters: Path | None, limit: float) -> WorkerLines[ScriptLine]:
    return WorkerLines(ScriptLine, "script", _without, WORKER, chapters or CHAPTERS, limit)


def _without(cell: str, problem: str) -> ScriptLine:
    return ScriptLine(cell=cell, problem=problem)
