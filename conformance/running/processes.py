"""A worker's process, seen from the recording process: its pipes, its clock, its memory, its end."""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import subprocess
import threading
import time
from pathlib import Path
from typing import IO

import msgspec
import psutil

from conformance.messages import printable
from conformance.running import cache, systems
from conformance.running.exchange import LONGEST_LINE, Asked, Forked, Message, decode
from conformance.running.options import GIB, Limits
from conformance.running.start import ERRORS, Start, command, environment, remove_folder
from conformance.running.worker_state import WorkerState
from conformance.verdicts import Verdict

FORGED = "something else than its messages was written to the recorder"
# A message of the worker; None where its pipe ended; FORGED where something else was written into it.
Event = tuple[WorkerState, Message | str | None]
# A process that ended has an exit status soon after its pipe has ended.
EXIT_S = 2.0
# What a process has sent arrives soon after it has exited.
DRAIN_S = 0.5


class Process(WorkerState):
    """A worker in a process of this machine."""

    def __init__(self, start: Start, archive: Path | None = None) -> None:
        super().__init__()
        self._gone = 0.0  # when it was seen that it has exited
        self._token = secrets.token_hex(8).encode()
        self._folder = start.run.make_folder()
        self._errors = ""
        self._archive, self._cache = archive, self._folder / "cache"
        if archive:
            cache.lend(archive, self._cache)
        with open(start.log or self._folder / ERRORS, "ab", opener=_at_once) as stream:
            self._process = subprocess.Popen(
                command(start, self._token),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                env=environment(start.run.tag, self._folder, self._cache if archive else None),
                **systems.OWN_GROUP,
            )
        self.name = str(self._process.pid)
        self.since = time.monotonic()
        self._memory = psutil.Process(self._process.pid)
        self._seen = self._before = 0  # bytes of resident memory: last seen, and when the cell began
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout, start.events), daemon=True).start()

    def _read(self, stream: IO[bytes], events: queue.SimpleQueue[Event]) -> None:
        """Pass on messages, and that there is something else, until the pipe ends."""
        while line := stream.readline(LONGEST_LINE):
            try:
                events.put((self, decode(self._token, line)))
            except msgspec.DecodeError:
                events.put((self, FORGED))
        events.put((self, None))

    def write(self, command: Asked) -> None:
        """Write a command into its standard input."""
        assert self._process.stdin is not None
        # A process that has died is noticed by the end of its pipe.
        with contextlib.suppress(OSError):
            self._process.stdin.write(msgspec.json.encode(command) + b"\n")
            self._process.stdin.flush()

    def begin(self, cell: str) -> None:
        """Note that a cell is begun, and the memory before it."""
        if cell != self.cell:  # a smaller program is made of the same seed's
            self._before = self._seen
        super().begin(cell)

    def take(self, message: Message) -> None:
        """Follow the state of the process by a message; watch the memory of its fork."""
        super().take(message)
        if isinstance(message, Forked):
            with contextlib.suppress(psutil.Error):
                self._memory = psutil.Process(message.fork)

    def renew(self) -> bool:
        """Kill the fork in which programs run, and what it has started: the process makes another."""
        if not self.fork or self._process.poll() is not None:
            return False
        self.renewing, self.since = True, time.monotonic()
        systems.end_children(self._process.pid)
        return True

    def exceeded(self, limits: Limits) -> tuple[Verdict, str] | None:
        """The limit that it has exceeded: a verdict and why; an empty reason where it has exited."""
        if self._is_late(limits):
            return Verdict.TIMEOUT, f"took longer than {limits.seconds:g} s"
        if self._grew_too_much(limits):
            return Verdict.CRASH, f"out of memory: the process grew by more than {limits.memory:g} GiB"
        return (Verdict.CRASH, "") if self._is_gone() else None

    def _is_late(self, limits: Limits) -> bool:
        """Whether it has not answered for longer than it may."""
        runs = self.ready and not self.renewing
        return self.busy and time.monotonic() - self.since > (limits.seconds if runs else limits.start_s)

    def _grew_too_much(self, limits: Limits) -> bool:
        """Whether its cell took more memory than it may, or what the cell left behind when it ended."""
        lingers = self.until is not None or self.asked
        if not self.ready or not (self.cell or lingers):
            self._before = 0
        with contextlib.suppress(psutil.Error):
            self._seen = self._memory.memory_info().rss
        self._before = self._before or self._seen
        return (bool(self.cell) or lingers) and self._seen - self._before > limits.memory * GIB

    def _is_gone(self) -> bool:
        """Whether it exited a while ago, though its pipe has not ended: what it left behind may hold it."""
        if self._process.poll() is None:
            return False
        self._gone = self._gone or time.monotonic()
        return time.monotonic() - self._gone > DRAIN_S

    def how_it_ended(self, status: int | None) -> str:
        """Its exit status in words, the function in which it crashed, or the last line that it printed."""
        printed = self._errors if self.ended else _read_text(self._folder / ERRORS)
        where = f" in {name}" if (name := _innermost(printed)) else ""
        last = printed.strip().splitlines()[-1:] if status and status > 0 else []
        return f"the process {systems.how_it_ended(status)}{where}" + (f": {printable(last[0])}" if last else "")

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
            self._errors = _read_text(self._folder / ERRORS)
            remove_folder(self._folder)
        return status


def _at_once(path: str, flags: int) -> int:
    # Opening a named pipe, which a check may have put there, waits for a reader.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def _read_text(path: Path) -> str:
    # Not of cells, whose processes have no such file: what a check put there might not end.
    try:
        return path.read_text(errors="replace") if path.is_file() else ""
    except OSError:
        return ""


def _innermost(printed: str) -> str:
    """The innermost function that faulthandler names: `File "path", line N in NAME` is the first below the head."""
    frames = printed.partition("\nCurrent thread ")[2]
    first = next((line for line in frames.splitlines() if line.strip().startswith("File ")), "")
    return first.rpartition(" in ")[2].strip()
