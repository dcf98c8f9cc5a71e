"""Scripts, derived where their engine is: in a process that is watched, as an adapter's code may do anything."""

from __future__ import annotations

import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from conformance.collecting import CHAPTERS
from conformance.messages import printable
from conformance.results import Header, ResultsError, records
from conformance.running.systems import OWN_GROUP, end_group, how_it_ended
from reports.files import replace_all
from reports.scripts import ScriptLine, encode_line, read_scripts, scripts_file

__all__ = ["derive_scripts", "show_script"]

# Seconds for a cell, as in a run; importing the engine may take three times as long.
LIMIT_S = 30.0
# Cells in succession without which an engine is given up: each costs a process, and may cost the limit.
PATIENCE = 3


class WorkerEnded(Exception):
    """The process that derives scripts did not do what it was asked for. `status`: of its exit, if it came to that."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


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
    return "".join([line.script for line in _lines(chapters, limit, "show", *task)])


def derive_scripts(results: Path, chapters: Path | None = None, limit: float = LIMIT_S) -> str:
    """Bring the scripts beside a results file up to date. Gives the reason where none could be; else it is empty.

    A cell in which the process dies, or takes longer than the limit, has that reason in the place of a script. Raises
    ResultsError if there are no results, and OSError if nothing can be written.
    """
    header = next(records(results), None)
    if not isinstance(header, Header):
        raise ResultsError(f"{results}: does not begin with a header; give a results file written by a run")
    target = scripts_file(results)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("ab") as stream:
        # The line before it may have been torn.
        stream.write(b"\n" + encode_line(ScriptLine(started=header.started)))
        problem = _derive_all(stream, chapters, limit, str(results), str(target))
    if not problem:
        found = read_scripts(target)
        lines = [ScriptLine(started=found.started), *found.cells.values()]
        replace_all(target.parent, {target.name: b"".join(map(encode_line, lines))})
    return problem


def _derive_all(stream: IO[bytes], chapters: Path | None, limit: float, *files: str) -> str:
    """Append scripts until all are there. Gives the reason if the engine is given up."""
    without = 0
    while True:
        stream.flush()  # the next process reads there what is still to do
        begun = ""
        try:
            for line in _lines(chapters, limit, "derive", *files):
                begun = "" if line.script or line.problem else line.cell
                if not begun:
                    without = 0
                    stream.write(encode_line(line))
                    stream.flush()
            return ""
        except WorkerEnded as ended:
            without += 1
            if not begun or without == PATIENCE:
                return str(ended)
            stream.write(encode_line(ScriptLine(cell=begun, problem=str(ended))))


def _lines(chapters: Path | None, limit: float, *task: str) -> Iterator[ScriptLine]:
    """What a process says, as it says it. Raises WorkerEnded if it dies, or says nothing for longer than the limit."""
    folder = str((chapters or CHAPTERS).resolve())
    command = [sys.executable, "-m", "autograd_conformance.scripts_worker", "--chapters", folder, *task]
    with tempfile.TemporaryFile() as errors:
        # In a group, as an engine may start processes: they end with it.
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, **OWN_GROUP
        )
        said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process.stdout, said), daemon=True).start()
        try:
            yield from _parsed(said, limit)
            return
        except EOFError:
            status = _status(process)
        finally:
            end_group(process)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines() if status > 0 else []
        raise WorkerEnded(printable(lines[-1]) if lines else f"the process {how_it_ended(status)}", status)


def _read(stream: IO[bytes], said: queue.SimpleQueue[bytes]) -> None:
    for line in stream:
        said.put(line)
    said.put(b"")


def _parsed(said: queue.SimpleQueue[bytes], limit: float) -> Iterator[ScriptLine]:
    """The lines of a process until its last one, which is empty. Raises EOFError or WorkerEnded."""
    allowed = 3 * limit
    while True:
        try:
            text = said.get(timeout=allowed)
            line = msgspec.json.decode(text, type=ScriptLine) if text else None
        except queue.Empty:
            raise WorkerEnded(f"it took longer than {allowed:g} s") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise WorkerEnded("something else than a script was written into the pipe", 1) from None
        if line is None:
            raise EOFError
        if line == ScriptLine():
            return
        yield line
        allowed = limit


def _status(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a process whose pipe has ended."""
    try:
        return process.wait(1)
    except subprocess.TimeoutExpired:
        raise WorkerEnded("its pipe was closed", 1) from None
