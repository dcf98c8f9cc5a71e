"""Who killed the worker? A death is tried again alone, in a fresh process; if it does not recur, so is its predecessor.

What dies alone as well is a crash or timeout. Where the predecessor dies alone, the death was its doing, and the cell
keeps the verdict that it gets by itself. What neither reproduces is an error: a verdict must be repeatable.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from conformance.results import ResultRecord, ResultsError, WorkerDeath, records
from conformance.running import limits
from conformance.verdicts import Outcome, Verdict

__all__ = ["Session", "confirm", "death"]

# How long a suspected predecessor is watched after its end: a thread that it left behind may strike late.
LINGER_S = 1.0


class Session(Protocol):
    """What is needed of the session in which the deaths happened."""

    config: pytest.Config
    limits: limits.Limits
    deaths: list[WorkerDeath]

    def settle(self, cell: str, outcome: Outcome, duration_s: float) -> None: ...
    def nodeid_of(self, cell: str) -> str: ...


@dataclass(frozen=True)
class Lone:
    """What came of a cell in a process of its own."""

    outcome: Outcome
    duration_s: float

    @property
    def died(self) -> bool:
        return self.outcome.verdict in (Verdict.CRASH, Verdict.TIMEOUT)


def confirm(session: Session) -> None:
    """Give every cell in which a worker died its verdict."""
    for death in session.deaths:
        alone = _alone(session, death.id)
        if alone.died:
            session.settle(death.id, alone.outcome, alone.duration_s)
            continue
        _blame_predecessor(session, death, alone)


def _blame_predecessor(session: Session, death: WorkerDeath, alone: Lone) -> None:
    earlier = death.after
    blamed = _alone(session, earlier, linger_s=LINGER_S) if earlier else None
    if earlier and blamed and blamed.died:
        session.settle(earlier, blamed.outcome, blamed.duration_s)
        session.settle(death.id, alone.outcome, alone.duration_s)
        return
    after = f"nor after {earlier} " if earlier else ""
    message = f"{death.message} once; alone it did not ({alone.outcome.verdict.value}), {after}in a fresh process"
    session.settle(death.id, Outcome(Verdict.ERROR, message=message), alone.duration_s)


def _alone(session: Session, cell: str, linger_s: float = 0.0) -> Lone:
    with tempfile.TemporaryDirectory(prefix="autograd-conformance-") as folder:
        results = Path(folder) / "lone.jsonl"
        command = [*_command(session, cell, results), "--linger", str(linger_s)]
        began = time.perf_counter()
        guard = limits.Guard(Path(folder), session.limits)
        guard.start()
        # Starting Python and importing the engine is not the behaviour's time.
        status = _status(command, timeout=limits.hard_limit(session.limits.seconds) + 120)
        guard.stop()
        duration = round(time.perf_counter() - began, 6)
        return _read(results, status, duration, session.limits)


def _command(session: Session, cell: str, results: Path) -> list[str]:
    """The same session, for one cell, without workers."""
    config = session.config
    options = ["--engine", config.getoption("engine"), "--parent", str(os.getpid())]
    options += ["--limit", str(session.limits.seconds), "--memory", str(session.limits.memory)]
    where = ["-c", str(config.inipath), "--rootdir", str(config.rootpath)] if config.inipath else []
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0", "--lone", "--results", str(results)]
    nodeid = str(config.rootpath / session.nodeid_of(cell))
    return [sys.executable, "-m", "pytest", "-p", "conformance.running.plugin", *where, *options, *quiet, nodeid]


def _status(command: list[str], timeout: float) -> int | None:
    try:
        quiet = subprocess.DEVNULL
        return subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=timeout, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def _read(results: Path, status: int | None, duration_s: float, allowed: limits.Limits) -> Lone:
    row = _row(results)
    if row is not None and status in (0, 1):
        return Lone(Outcome(row.verdict, row.convention, row.message), row.duration_s)
    why = limits.ended_by(results.with_suffix(".marker")) if status is not None else limits.TIMEOUT
    return Lone(death(why, allowed, _ended(status or 0)), duration_s)


def death(why: str, allowed: limits.Limits, otherwise: str) -> Outcome:
    """What a death means, by what the marker says of it, and else in these words."""
    if why == limits.TIMEOUT:
        return Outcome(Verdict.TIMEOUT, message="took longer than the hard limit")
    if why == limits.MEMORY:
        return Outcome(Verdict.CRASH, message=f"out of memory: the process grew by more than {allowed.memory:g} GiB")
    return Outcome(Verdict.CRASH, message=f"the process {otherwise}")


def _row(results: Path) -> ResultRecord | None:
    try:
        rows = [record for record in records(results) if isinstance(record, ResultRecord)]
    except ResultsError:
        return None
    return rows[-1] if rows else None


def _ended(status: int) -> str:
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
