"""Which cell killed the worker? Each cell in which one died is tried again alone, in a fresh process.

A cell that dies again is a crash or timeout. Otherwise the cell before it, on the same worker, is tried alone: if that
one dies, it was the cause, and the cell keeps the verdict that it has alone. A death that neither reproduces is an
error: a verdict must be repeatable.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Protocol

import pytest

from conformance.results import ResultRecord, ResultsError, WorkerDeath, records
from conformance.running import limits
from conformance.verdicts import Outcome, Verdict

__all__ = ["RecordingSession", "confirm", "death"]

# How long the process of a suspected predecessor stays alive: a thread that the cell left behind may crash late.
LINGER_S = 1.0


class RecordingSession(Protocol):
    """The part of the recorder that is needed here."""

    config: pytest.Config
    limits: limits.Limits
    deaths: list[WorkerDeath]

    def settle(self, row: ResultRecord) -> None: ...
    def nodeid_of(self, cell: str) -> str: ...


def confirm(session: RecordingSession) -> None:
    """Give every cell in which a worker died its verdict."""
    for death in session.deaths:
        # Alone first: most deaths are the cell's own, and then no second process is needed.
        alone = _alone(session, death.id)
        if not _died(alone):
            alone = _blame_predecessor(session, death, alone)
        session.settle(alone)


def _blame_predecessor(session: RecordingSession, death: WorkerDeath, alone: ResultRecord) -> ResultRecord:
    """The row of a cell that did not die alone; the predecessor's is settled here, if that died."""
    blamed = _alone(session, death.after, linger_s=LINGER_S) if death.after else None
    if blamed and _died(blamed):
        session.settle(blamed)
        return alone
    after = f"nor after {death.after} " if death.after else ""
    message = f"{death.message} once; alone it did not ({alone.verdict.value}), {after}in a fresh process"
    return ResultRecord(death.id, Verdict.ERROR, None, message, alone.duration_s)


def _died(row: ResultRecord) -> bool:
    return row.verdict in (Verdict.CRASH, Verdict.TIMEOUT)


def _alone(session: RecordingSession, cell: str, linger_s: float = 0.0) -> ResultRecord:
    """The row of a cell in a process that runs nothing else."""
    with tempfile.TemporaryDirectory(prefix="autograd-conformance-") as folder:
        results = Path(folder) / "lone.jsonl"
        command = [*_command(session, cell, results), "--linger", str(linger_s)]
        began = time.perf_counter()
        guard = limits.Guard(Path(folder), session.limits)
        guard.start()
        # Beyond the limit of the behaviour: time to start Python and import the engine.
        status = _status(command, timeout=limits.hard_limit(session.limits.seconds) + 120)
        guard.stop()
        duration = round(time.perf_counter() - began, 6)
        return _row(results, status) or _death_row(cell, results, status, duration, session.limits)


def _command(session: RecordingSession, cell: str, results: Path) -> list[str]:
    """The same session, for one cell, without workers."""
    config = session.config
    options = ["--engine", config.getoption("engine"), "--parent", str(os.getpid())]
    options += ["--limit", str(session.limits.seconds), "--memory", str(session.limits.memory)]
    where = ["-c", str(config.inipath), "--rootdir", str(config.rootpath)] if config.inipath else []
    # Without the cache, and without plugins that reorder: exactly this cell, and nothing remembered.
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0", "--lone", "--results", str(results)]
    nodeid = str(config.rootpath / session.nodeid_of(cell))
    return [sys.executable, "-m", "pytest", "-p", "conformance.running.plugin", *where, *options, *quiet, nodeid]


def _status(command: list[str], timeout: float) -> int | None:
    try:
        quiet = subprocess.DEVNULL
        return subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=timeout, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def _row(results: Path, status: int | None) -> ResultRecord | None:
    """What the process wrote, if it came to its end."""
    # 0 and 1 are pytest's own: all passed, some failed. With any other status the last row may be another cell's.
    if status not in (0, 1):
        return None
    try:
        rows = [record for record in records(results) if isinstance(record, ResultRecord)]
    except ResultsError:
        return None
    return rows[-1] if rows else None


def _death_row(cell: str, results: Path, status: int | None, duration_s: float, allowed: limits.Limits) -> ResultRecord:
    why = limits.ended_by(results.with_suffix(".marker")) if status is not None else limits.TIMEOUT
    outcome = death(why, allowed, _ended(status or 0))
    return ResultRecord(cell, outcome.verdict, None, outcome.message, duration_s)


def death(why: str, allowed: limits.Limits, otherwise: str) -> Outcome:
    """The outcome of a death: by its marker (`limits.ended_by`), else a crash described by `otherwise`."""
    if why == limits.TIMEOUT:
        return Outcome(Verdict.TIMEOUT, message="took longer than the hard limit")
    if why == limits.MEMORY:
        return Outcome(Verdict.CRASH, message=f"out of memory: the process grew by more than {allowed.memory:g} GiB")
    return Outcome(Verdict.CRASH, message=f"the process {otherwise}")


def _ended(status: int) -> str:
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
