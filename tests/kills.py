"""Runs that get a signal: the command line, its group, a worker, or all of them at once."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from conformance.results import ResultRecord
from conformance.results_file import file_name, records
from tests.support import ROOT, Call, conform, survivors, tagged

# Behaviours of a slow run: half of them take 0.15 s, so that a kill after three comes in the middle.
STEPS = 16


@dataclass(frozen=True)
class Kind:
    """A kind of run: an engine, and chapters for it."""

    engine: str
    chapters: Path

    def run(self, output: Path, *more: object) -> Call:
        """Run it to its end."""
        return conform("run", "-e", self.engine, "--chapters", self.chapters, "-o", output, *more, output=output)

    def results(self, output: Path) -> Path:
        """The results file."""
        return output / "results" / file_name(self.engine)

    def partial(self, output: Path) -> Path:
        """The file that a run writes to until it is complete."""
        return output / "results" / f"{file_name(self.engine)}.partial"


class Run:
    """A run in the background, as leader of a new process group, with a separate folder for temporary files."""

    def __init__(self, kind: Kind, output: Path, *options: object) -> None:
        self.kind, self.output, self.tag = kind, output, uuid.uuid4().hex
        self.temporary = output.with_name(f"{output.name}-temporary")
        self.temporary.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "autograd_conformance", "run", "-e", kind.engine]
        command += ["--chapters", str(kind.chapters), "-o", str(output), *map(str, options)]
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=tagged(self.tag) | {"TMPDIR": str(self.temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            # So that a signal to the group ends this run, and not the tests.
            start_new_session=True,
        )

    def wait_for(self, results: int) -> None:
        """Wait until this number of cells has a result, or the run is over."""
        self.wait_until(lambda: self.results() >= results)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition, or until the run is over."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None and not condition():
            time.sleep(0.005)

    def results(self) -> int:
        """The number of results so far."""
        path = self.kind.partial(self.output)
        # Not read as records: the last line may be half written.
        return path.read_bytes().count(b'{"kind":"result"') if path.exists() else 0

    def workers(self) -> list[psutil.Process]:
        """The processes that the command line has started."""
        with contextlib.suppress(psutil.NoSuchProcess):
            return psutil.Process(self.process.pid).children()
        return []

    def ended(self, patience_s: float = 120.0) -> list[str]:
        """Wait for the end of the command line; the processes that outlive it."""
        self.errors = self.process.communicate(timeout=patience_s)[1]
        return survivors(self.tag)


def kill_command_line(run: Run, drawn: random.Random) -> None:
    """Only the process that the user started."""
    run.process.kill()


def kill_group(run: Run, drawn: random.Random) -> None:
    """The group of the command line, as a cancelled job does."""
    os.killpg(run.process.pid, signal.SIGKILL)


def kill_everything(run: Run, drawn: random.Random) -> None:
    """All processes at once, as the end of a container does."""
    for process in [*run.workers(), run.process]:
        process.kill()


def kill_worker(run: Run, drawn: random.Random) -> None:
    """A process in which behaviours run: it may import the engine, be between two cells, or try one alone."""
    if workers := run.workers():
        drawn.choice(workers).kill()


WAYS: tuple[Callable[[Run, random.Random], None], ...] = (kill_command_line, kill_worker, kill_group, kill_everything)


def kill_at_random(seed: int, run: Run, takes_s: float) -> str:
    """Kill the run in a way and at a moment that the seed decides; returns which."""
    drawn = random.Random(seed)
    # A worker as often as all others together.
    way, moment = WAYS[1 if seed % 2 else drawn.choice((0, 2, 3))], drawn.uniform(0.0, takes_s)
    time.sleep(moment)
    with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):  # it may be over already
        way(run, drawn)
    return f"seed {seed}: {way.__name__} after {moment:.3f} s, with {run.results()} results"


def rows(path: Path) -> list[str]:
    """The ids of the results in a file, with repetitions."""
    return [line.id for line in records(path) if isinstance(line, ResultRecord)]
