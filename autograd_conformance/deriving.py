"""What is derived where an engine is: in a process that is watched, as an adapter's code may do anything.

The process says lines of JSON: one when it begins with a cell, one when that is done, and an empty one at the end.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, Protocol, TypeVar

import msgspec

from conformance.messages import printable
from conformance.results import Header, ResultsError
from conformance.results_file import records
from conformance.running.systems import OWN_GROUP, end_group, how_it_ended
from reports.lines import encode_line

__all__ = ["LIMIT_S", "WorkerEnded", "WorkerLine", "WorkerLines", "header_of"]

# Seconds for a cell, as in a run; importing the engine may take three times as long.
LIMIT_S = 30.0
# Cells in succession without which an engine is given up: each costs a process, and may cost the limit.
PATIENCE = 3


class WorkerEnded(Exception):
    """The process did not do what it was asked for. `status`: of its exit, if it came to that."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


def header_of(results: Path) -> Header:
    """How the run was started whose results these are. Raises ResultsError if there are none."""
    header = next(records(results), None)
    if not isinstance(header, Header):
        raise ResultsError(f"{results}: does not begin with a header; give a results file written by a run")
    return header


class WorkerLine(Protocol):
    """What a process says about a cell."""

    @property
    def cell(self) -> str:
        """Which cell."""

    @property
    def done(self) -> bool:
        """Whether it is more than that the cell was begun."""


L = TypeVar("L", bound=WorkerLine)


@dataclass(frozen=True)
class WorkerLines(Generic[L]):
    """The lines of a worker: of which type, what they are about, its module and arguments, and seconds per cell.

    `without` makes the line of a cell from the reason why nothing could be derived.
    """

    kind: type[L]
    what: str
    without: Callable[[str, str], L]
    module: str
    chapters: Path
    limit: float = LIMIT_S

    def append_all(self, stream: IO[bytes], *task: str) -> str:
        """Append lines to a file until all are there. Gives the reason if the engine is given up."""
        lost = 0
        while True:
            stream.flush()  # the next process reads there what is still to do
            begun = ""
            try:
                for line in self.said(*task):
                    begun = "" if line.done else line.cell
                    if not begun:
                        lost = 0
                        stream.write(encode_line(line))
                        stream.flush()
                return ""
            except WorkerEnded as ended:
                lost += 1
                if not begun or lost == PATIENCE:
                    return str(ended)
                stream.write(encode_line(self.without(begun, str(ended))))

    def said(self, *task: str) -> Iterator[L]:
        """What a process says, as it says it. Raises WorkerEnded if it dies, or is silent for longer than the limit."""
        command = [sys.executable, "-m", self.module, "--chapters", str(self.chapters.resolve()), *task]
        with tempfile.TemporaryFile() as errors:
            # In a group, as an engine may start processes: they end with it.
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, **OWN_GROUP
            )
            said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
            threading.Thread(target=_read, args=(process.stdout, said), daemon=True).start()
            try:
                yield from self._parsed(said)
                return
            except EOFError:
                status = _status(process)
            finally:
                end_group(process)
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines() if status > 0 else []
            raise WorkerEnded(printable(lines[-1]) if lines else f"the process {how_it_ended(status)}", status)

    def _parsed(self, said: queue.SimpleQueue[bytes]) -> Iterator[L]:
        """The lines of a process until its last one, which is empty. Raises EOFError or WorkerEnded."""
        allowed = 3 * self.limit
        while True:
            try:
                text = said.get(timeout=allowed)
                line = msgspec.json.decode(text, type=self.kind) if text else None
            except queue.Empty:
                raise WorkerEnded(f"it took longer than {allowed:g} s") from None
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise WorkerEnded(f"something else than a {self.what} was written into the pipe", 1) from None
            if line is None:
                raise EOFError
            if line == self.kind():
                return
            yield line
            allowed = self.limit


def _read(stream: IO[bytes], said: queue.SimpleQueue[bytes]) -> None:
    for line in stream:
        said.put(line)
    said.put(b"")


def _status(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a process whose pipe has ended."""
    try:
        return process.wait(1)
    except subprocess.TimeoutExpired:
        raise WorkerEnded("its pipe was closed", 1) from None
