"""A worker's process, seen from the recording process: its pipes, its clock, its memory, its end."""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec
import psutil

from conformance.running import cache, folders, systems
from conformance.running.exchange import LONGEST_LINE, Begun, Done, Loading, Message, Ready, Silent, decode
from conformance.running.limits import GIB, Limits
from conformance.running.options import Options

__all__ = ["FORGED", "TAG", "Event", "Process", "Run", "Start"]

# By this variable the processes of a run are found again, also those that left their group.
TAG = "AUTOGRAD_CONFORMANCE_RUN"
FORGED = "something else than its messages was written to the recorder"
# A message of the process; None where its pipe ended; FORGED where something else was written into it.
Event = tuple["Process", Message | str | None]


class Run:
    """What the processes of one run share: a tag in their environment, and how their temporary folders are called.

    The folders name the output, so that the next run into it removes what a killed one has left.
    """

    def __init__(self, output: Path) -> None:
        self.tag = secrets.token_hex(8)
        self._prefix = f"autograd-conformance-{hashlib.sha256(os.fsencode(output.resolve())).hexdigest()[:12]}-"
        self._remove_folders()

    def make_folder(self) -> Path:
        """A folder for one process: not within one that they share, which a check could remove."""
        return Path(tempfile.mkdtemp(prefix=self._prefix))

    def close(self) -> None:
        """End what processes have left, and remove their folders."""
        systems.end_tagged(TAG, self.tag)
        self._remove_folders()

    def _remove_folders(self) -> None:
        for folder in Path(tempfile.gettempdir()).glob(f"{self._prefix}*"):
            folders.remove(folder)


@dataclass(frozen=True)
class Start:
    """What is needed to start a process of an engine. What it prints until it is ready goes to the log."""

    engine: str
    options: Options
    log: Path
    run: Run
    events: queue.SimpleQueue[Event]


class Process:
    """A worker. `cells` are those that it was given and has not done, `cell` the one that it is in, `last` the one
    that it did last."""

    def __init__(self, start: Start, archive: Path | None = None) -> None:
        self.ready: Ready | None = None
        self.cells: deque[str] = deque()
        self.cell = self.last = ""
        self.asked = False  # whether an answer to an empty batch is still to come
        self.until: float | None = None  # when a process that lingers is to be asked whether it still works
        self.ended = False
        self._modules = 0
        self._gone = 0.0  # when it was seen that it has exited
        self._token = secrets.token_hex(8).encode()
        self._folder = start.run.make_folder()
        self._archive, self._cache = archive, self._folder / "cache"
        if archive:
            cache.lend(archive, self._cache)
        with open(start.log, "ab", opener=_at_once) as stream:
            self._process = subprocess.Popen(
                _command(start, self._token),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                env=_environment(start.run.tag, self._folder, self._cache if archive else None),
                **systems.OWN_GROUP,
            )
        self.since = time.monotonic()
        self._memory = psutil.Process(self._process.pid)
        self._seen = self._before = 0  # bytes of resident memory: last seen, and when the cell began
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout, start.events), daemon=True).start()

    @property
    def name(self) -> str:
        """How a results file calls this process."""
        return str(self._process.pid)

    @property
    def busy(self) -> bool:
        """Whether something is to come from it: its clock counts."""
        return not self.ready or bool(self.cells) or self.asked

    def _read(self, stream: IO[bytes], events: queue.SimpleQueue[Event]) -> None:
        """Pass on what the process says, until its pipe ends or something else is in it."""
        while line := stream.readline(LONGEST_LINE):
            try:
                events.put((self, decode(self._token, line)))
            except msgspec.DecodeError:
                events.put((self, FORGED))
                return
        events.put((self, None))

    def give(self, cells: Sequence[str]) -> None:
        """More cells; without any, a question whether it still works."""
        self.since = self.since if self.busy else time.monotonic()
        self.cells.extend(cells)
        self.asked = self.asked or not cells
        assert self._process.stdin is not None
        # A process that has died is noticed by the end of its pipe.
        with contextlib.suppress(OSError):
            self._process.stdin.write(msgspec.json.encode(list(cells)) + b"\n")
            self._process.stdin.flush()

    def expects(self, message: Message) -> bool:
        """Whether it is the turn of a message; another one is forged."""
        if isinstance(message, Begun):
            return not self.cell and bool(self.cells) and message.id == self.cells[0]
        if isinstance(message, Done):
            return message.row.id == (self.cell or self.last)
        return self.asked if isinstance(message, Silent) else self.ready is None

    def take(self, message: Message) -> None:
        """Note what a message says of the state of the process."""
        if isinstance(message, Begun):
            self.cell, self._before = message.id, self._seen
        elif isinstance(message, Done):
            self.cell, self.last = "", message.row.id
            if self.cells and self.cells[0] == message.row.id:
                self.cells.popleft()
        elif isinstance(message, Ready):
            self.ready = message
        elif isinstance(message, Silent):
            self.asked = False
        elif isinstance(message, Loading):
            if message.modules <= self._modules:
                return  # an import that hangs
            self._modules = message.modules
        self.since = time.monotonic()

    def linger(self, seconds: float) -> None:
        """Ask it later whether it still works: what a cell left behind may do its harm by then."""
        self.until = time.monotonic() + seconds

    def ask_if_due(self) -> None:
        """Ask it whether it still works, if it has lingered long enough."""
        if self.until is not None and time.monotonic() >= self.until:
            self.until = None
            self.give([])

    def is_late(self, limits: Limits) -> bool:
        """Whether it has not answered for longer than it may."""
        allowed = limits.seconds if self.ready else limits.start_s
        return self.busy and time.monotonic() - self.since > allowed

    def grew_too_much(self, limits: Limits) -> bool:
        """Whether its cell took more memory than it may, or what the cell left behind when it ended."""
        lingers = self.until is not None or self.asked
        if not self.ready or not (self.cell or lingers):
            self._before = 0
        with contextlib.suppress(psutil.Error):
            self._seen = self._memory.memory_info().rss
        self._before = self._before or self._seen
        return (bool(self.cell) or lingers) and self._seen - self._before > limits.memory * GIB

    def is_gone(self, patience_s: float) -> bool:
        """Whether it exited that long ago, though its pipe has not ended: what it left behind may hold it."""
        if self._process.poll() is None:
            return False
        self._gone = self._gone or time.monotonic()
        return time.monotonic() - self._gone > patience_s

    def end(self, patience_s: float = 0.0, unharmed: bool = False) -> int | None:
        """Kill it, and what it has started. Returns its exit status; None if it has not exited within the patience.

        What the engine compiled is kept if the process was `unharmed`, and did nothing when it was killed.
        """
        status = None
        if not self.ended:
            self.ended = True
            assert self._process.stdin is not None
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._process.wait(patience_s)
            systems.end_group(self._process)
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            if unharmed and self._archive:
                cache.keep(self._cache, self._archive)
            folders.remove(self._folder)
        return status


def _at_once(path: str, flags: int) -> int:
    # Opening a named pipe, which a check may have put there, waits for a reader.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def _command(start: Start, token: bytes) -> list[str]:
    # Its own module by name: the working directory is then on the path, as an adapter may be there.
    given = (start.engine, str(start.options.chapters), token.decode(), start.options.part)
    return [sys.executable, "-m", "conformance.running.worker", *given]


def _environment(tag: str, folder: Path, cached: Path | None) -> dict[str, str]:
    """The user's, with one thread for numerical libraries, so that limits hold, and with folders of the worker's."""
    # Without assert statements and docstrings, probes and chapters would be empty.
    dropped = ("PYTHONOPTIMIZE", "PYTHONINSPECT", cache.VARIABLE)
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    # In this order, a number of threads that the user has set is kept.
    return threads | kept | temporary | {TAG: tag} | ({cache.VARIABLE: str(cached)} if cached else {})
