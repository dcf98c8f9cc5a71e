"""Runs that are killed: by a signal to the command line, to pytest, to a worker, or to all of them at once."""

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

from conformance.results import ResultRecord, records
from tests.support import ROOT, Call, conform, survivors, tagged

# Behaviours of a slow run: half of them take 0.15 s, so that a kill after three comes in the middle.
STEPS = 16


@dataclass(frozen=True)
class Kind:
    """What is run: an engine, and chapters for it."""

    engine: str
    chapters: Path

    @property
    def name(self) -> str:
        """The stem of the results file."""
        return self.engine.replace(":", "_")

    def run(self, output: Path, *more: object) -> Call:
        """Run it to its end."""
        return conform("run", "-e", self.engine, "--chapters", self.chapters, "-o", output, *more, output=output)

    def partial(self, output: Path) -> Path:
        """The file that a run writes to until it is complete."""
        return output / "results" / f"{self.name}.jsonl.partial"


class Run:
    """A run in the background, as leader of a new process group."""

    def __init__(self, kind: Kind, output: Path) -> None:
        self.kind, self.output, self.tag = kind, output, uuid.uuid4().hex
        command = [sys.executable, "-m", "autograd_conformance", "run", "-e", kind.engine]
        self.process = subprocess.Popen(
            [*command, "--chapters", str(kind.chapters), "-o", str(output)],
            cwd=ROOT,
            env=tagged(self.tag),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # So that kill_group ends this run, and not the tests.
            start_new_session=True,
        )

    def wait_for(self, results: int) -> None:
        """Wait until this number of cells has a result, or the run is over."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None and self.results() < results:
            time.sleep(0.01)

    def results(self) -> int:
        """How many results there are so far."""
        path = self.kind.partial(self.output)
        return path.read_bytes().count(b'{"kind":"result"') if path.exists() else 0

    def ended(self) -> list[str]:
        """Wait for the end of the command line; the processes that outlive it."""
        self.process.wait(120)
        return survivors(self.tag)


def kill_command_line(run: Run) -> None:
    """Only the process that the user started."""
    run.process.kill()


def kill_group(run: Run) -> None:
    """Everything at once, as a closed terminal or a cancelled job does."""
    os.killpg(run.process.pid, signal.SIGKILL)


def kill_pytest(run: Run) -> None:
    """The process that writes the results."""
    _kill_one(psutil.Process(run.process.pid).children())


def kill_worker(run: Run) -> None:
    """A process in which behaviours run, but for one that tries a death again: that would be its verdict."""
    below = psutil.Process(run.process.pid).children(recursive=True)
    # The first is pytest itself, which has its own way to be killed.
    _kill_one([one for one in below[1:] if "--lone" not in one.cmdline()])


def _kill_one(processes: list[psutil.Process]) -> None:
    for process in processes[:1]:
        process.kill()


WAYS: tuple[Callable[[Run], None], ...] = (kill_command_line, kill_group, kill_pytest, kill_worker)


def kill_at_random(seed: int, run: Run, takes_s: float) -> str:
    """Kill the run in a way and at a moment that the seed decides; returns which."""
    drawn = random.Random(seed)
    way, moment = WAYS[seed % len(WAYS)], drawn.uniform(0.0, takes_s)
    time.sleep(moment)
    with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):  # it may be over already
        way(run)
    return f"seed {seed}: {way.__name__} after {moment:.3f} s, with {run.results()} results"


def rows(path: Path) -> list[str]:
    """The ids of the results in a file, with repetitions."""
    return [line.id for line in records(path) if isinstance(line, ResultRecord)]
