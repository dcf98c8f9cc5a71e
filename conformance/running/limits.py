"""Limits of one behaviour, in time and memory. They hold even while native code holds the interpreter lock.

The soft limit (pytest-timeout) raises in the check, and the worker goes on; but it waits until Python code runs. The
hard limit is faulthandler's watchdog thread, which needs no interpreter lock: it writes the stacks to a marker file and
exits. A guard in the main process watches memory, and kills a worker whose check cancelled the watchdog.

The marker file is written before each check, with process id, start and resident memory. What ends the process appends
its reason, so that a timeout, a lack of memory and a crash can be told apart.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import psutil

__all__ = [
    "DEFAULT_LIMIT",
    "DEFAULT_MEMORY",
    "MEMORY",
    "RETIRED",
    "TIMEOUT",
    "Guard",
    "Limits",
    "ended_by",
    "exhausted",
    "hard_limit",
    "retire",
    "watched",
]

DEFAULT_LIMIT = 30.0
# Frameworks reserve much address space that they never use: what counts is growth of the resident memory.
DEFAULT_MEMORY = 4.0
GIB = 2**30
# The guard waits this much longer than the watchdog, so that the watchdog writes the stacks if it can.
GRACE_S = 2.0
# Importing a framework takes seconds, or tens of seconds on a slow disk or a busy machine.
IMPORT_S, IMPORTS = 10, 20
POLL_S = 0.05  # a process may fill gigabytes of memory within a second

TIMEOUT = "Timeout"  # faulthandler's own word
MEMORY = "Memory"
RETIRED = "Retired"


@dataclass(frozen=True)
class Limits:
    """Limits of one behaviour: seconds, and GiB of resident memory that it may add to its process."""

    seconds: float = DEFAULT_LIMIT
    memory: float = DEFAULT_MEMORY


def hard_limit(soft: float) -> float:
    """Seconds after which the process is killed: more than the soft limit, which is to take effect first."""
    return soft * 1.5 + 0.5


@contextmanager
def watched(marker: Path | None, soft: float) -> Iterator[None]:
    """Exit this process if the block takes longer than the hard limit. Without a marker there is no watchdog."""
    if marker is None:
        yield
        return
    with marker.open("w") as stream:
        # A line of the guard's: see _look_at.
        stream.write(f"{os.getpid()} {time.monotonic()} {psutil.Process().memory_info().rss}\n")
        stream.flush()
        faulthandler.dump_traceback_later(hard_limit(soft), exit=True, file=stream)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            stream.truncate(0)  # between behaviours there is nothing to watch


@contextmanager
def importing(soft: float) -> Iterator[None]:
    """Exit this process, with the stacks on standard error, if the block, an engine's import, takes very long."""
    # Not sys.stderr, which pytest may have replaced by an object without a file descriptor.
    faulthandler.dump_traceback_later(IMPORT_S + IMPORTS * soft, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def exhausted() -> bool:
    """Whether this process uses more than half of its file descriptors, so that later behaviours might lack some."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return allowed != resource.RLIM_INFINITY and psutil.Process().num_fds() > allowed / 2


def retire(marker: Path) -> NoReturn:
    """Exit this process, which must not run another behaviour; the next one is given to a fresh worker."""
    marker.write_text(f"{RETIRED}\n")
    os._exit(0)  # not sys.exit: threads of an engine could keep the process alive


def ended_by(marker: Path) -> str:
    """What ended the process that kept this marker: TIMEOUT, MEMORY, RETIRED, or "" for a crash."""
    lines = marker.read_text(errors="replace").splitlines() if marker.exists() else []
    return next((word for word in (TIMEOUT, MEMORY, RETIRED) if any(line.startswith(word) for line in lines)), "")


class Guard:
    """Watches, from the main process, the processes that have markers in a folder."""

    def __init__(self, markers: Path, limits: Limits) -> None:
        self._markers, self._limits = markers, limits
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="guard")

    def start(self) -> None:
        """Begin to watch, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the watch."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(POLL_S):
            for marker in self._markers.glob("*.marker"):
                # A process or a marker may be gone by the time it is looked at.
                with contextlib.suppress(psutil.Error, OSError, ValueError):
                    self._look_at(marker)

    def _look_at(self, marker: Path) -> None:
        pid, since, memory = marker.read_text(errors="replace").split("\n", 1)[0].split(" ")
        if time.monotonic() - float(since) > hard_limit(self._limits.seconds) + GRACE_S:
            _end(int(pid), marker, TIMEOUT)
        elif psutil.Process(int(pid)).memory_info().rss - int(memory) > self._limits.memory * GIB:
            _end(int(pid), marker, MEMORY)


def _end(pid: int, marker: Path, why: str) -> None:
    # First the reason, then the kill: when the process is found dead, its reason is there.
    with marker.open("a") as stream:
        stream.write(f"{why}\n")
    os.kill(pid, signal.SIGKILL)
