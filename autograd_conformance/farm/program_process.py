"""A process that tries programs, seen from outside: what it is asked, its clock, and how it ended."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
from typing import IO

import msgspec
import psutil

from autograd_conformance.farm.exchange import (
    Answer,
    BatchTried,
    EngineReady,
    EngineUnusable,
    FarmError,
    FindingAsked,
    FindingTold,
    LoadingEnded,
    ProcessEnded,
    ProgramBegun,
    ProgramFailed,
    ProgramsAsked,
)
from conformance.messages import printable
from conformance.programs.results import BatchRecord, FindingRecord
from conformance.running.systems import OWN_GROUP, end_group, how_it_ended

__all__ = ["LONGEST_START_S", "Death", "ProgramProcess"]

# Seconds: importing an engine shows no progress.
LONGEST_START_S = 120.0
# Seconds: a process that was killed ends at once, if the system is not very busy.
LONGEST_END_S = 10.0
# Bytes: what an engine keeps of each program, such as compiled code, grows over a campaign.
LARGEST = 3 * 2**30
_decoder: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


class Death(msgspec.Struct, frozen=True):
    """The process ended or was ended in the program of a seed (None: before one), and how: `oracle` is `crash`,
    `timeout` or `error`."""

    seed: int | None
    oracle: str
    message: str


class ProgramProcess:
    """A process with an engine. `ready` says which. Raises FarmError if the engine cannot be used."""

    def __init__(self, engine: str, module: str) -> None:
        self.engine, self.module = engine, module
        command = [sys.executable, "-m", "autograd_conformance.farm.program_worker", engine, module]
        # What engines print is kept for the message of a crash only.
        self._errors = tempfile.TemporaryFile("a+b")  # noqa: SIM115
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(),
            **OWN_GROUP,
        )
        self._said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process.stdout, self._said), daemon=True).start()
        self.ready = self._loaded()
        # Whether programs have run in it, or in the present fork of it.
        self.used = False

    def _loaded(self) -> EngineReady:
        answer = self._next(None, LONGEST_START_S)
        if isinstance(answer, EngineReady):
            return answer
        self.end()
        if isinstance(answer, EngineUnusable):
            raise FarmError(answer.message)
        what = answer.message if isinstance(answer, Death) else f"it said {answer}"
        raise LoadingEnded(f"engine {self.engine!r}: loading it: {what}")

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    @property
    def large(self) -> bool:
        """Whether another is to take its place, for what it holds."""
        with contextlib.suppress(psutil.Error):
            return any(one.memory_info().rss > LARGEST for one in (psutil.Process(self._process.pid), *self._forks()))
        return True

    def _forks(self) -> list[psutil.Process]:
        return psutil.Process(self._process.pid).children() if self.ready.forks else []

    def renew(self) -> bool:
        """Let another fork take the place of this one. Returns whether there is one: else it must be made anew."""
        if not (self.used and self.alive):
            return self.alive
        with contextlib.suppress(psutil.Error):
            for one in self._forks():
                one.kill()
            # It may still say what it was at.
            while self.ready.forks and not isinstance(answer := self._next(None, LONGEST_END_S), Death):
                if isinstance(answer, ProcessEnded):
                    self.used = False
                    return True
        return False

    def tried(self, asked: ProgramsAsked, limit: float) -> BatchRecord | Death:
        """Try these programs, each for at most `limit` seconds. Raises FarmError if the engine lacks the kind."""
        seed = None
        self._errors.truncate(0)
        self.used = True
        self._ask(asked)
        while True:
            # Until the first program begins, the clock is that of a start.
            answer = self._next(seed, limit if seed is not None else max(limit, LONGEST_START_S))
            if isinstance(answer, ProgramBegun):
                seed = answer.seed
            elif isinstance(answer, BatchTried):
                return answer.batch
            elif isinstance(answer, ProgramFailed):
                return Death(seed, "error", answer.message)
            elif isinstance(answer, ProcessEnded):
                self.used = False
                return self._death(seed, answer.status)
            elif isinstance(answer, Death):
                if not self.renew():
                    self.end()
                return answer
            else:
                raise FarmError(answer.message if isinstance(answer, EngineUnusable) else f"got {answer}")

    def finding(self, asked: FindingAsked, limit: float) -> FindingRecord | None:
        """The finding of a program in which a process ended; None if it cannot be told."""
        self._ask(asked)
        answer = self._next(asked.seed, limit)
        if isinstance(answer, FindingTold):
            return answer.finding
        self.end()
        return None

    def _ask(self, asked: ProgramsAsked | FindingAsked) -> None:
        assert self._process.stdin is not None
        # A process that has ended is noticed by the end of its pipe.
        with contextlib.suppress(OSError):
            self._process.stdin.write(msgspec.json.encode(asked) + b"\n")
            self._process.stdin.flush()

    def _next(self, seed: int | None, allowed: float) -> Answer | Death:
        """The next thing that it says; a Death where it says nothing more, or not in time."""
        try:
            line = self._said.get(timeout=allowed)
            return _decoder.decode(line) if line else self._death(seed, self._status())
        except queue.Empty:
            return Death(seed, "timeout", f"took longer than {allowed:g} s")
        except (msgspec.DecodeError, UnicodeDecodeError):
            return Death(seed, "crash", "something else than an answer was written into the pipe")

    def _status(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(1)
        return None

    def _death(self, seed: int | None, status: int | None) -> Death:
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace")
        last = said.strip().splitlines()[-1:] if status and status > 0 else []
        told = f": {printable(last[0])}" if last else ""
        where = f" in {name}" if (name := _innermost(said)) else ""
        return Death(seed, "crash", f"the process {how_it_ended(status)}{where}{told}")

    def end(self) -> None:
        """End it, and what it has started."""
        end_group(self._process)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(OSError, ValueError):
            self._errors.close()


def _environment() -> dict[str, str]:
    """The user's, with one thread for numerical libraries: as many processes as cores are busy."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    # In this order, a number of threads that the user has set is kept.
    return threads | {
        name: value for name, value in os.environ.items() if name not in ("PYTHONOPTIMIZE", "PYTHONINSPECT")
    }


def _innermost(said: str) -> str:
    """The innermost function that faulthandler names: `File "path", line N in NAME` is the first below the head."""
    frames = said.partition("\nCurrent thread ")[2]
    first = next((line for line in frames.splitlines() if line.strip().startswith("File ")), "")
    return first.rpartition(" in ")[2].strip()


def _read(stream: IO[bytes], said: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in stream:
            said.put(line)
    said.put(b"")
