"""Who killed the worker? A death is tried again alone, in a fresh process; if it does not recur, so is its predecessor.

What dies alone as well is a crash or timeout. Where the predecessor dies alone, the death was its doing, and the cell
keeps the verdict that it gets by itself. What neither reproduces is an error: a verdict must be repeatable.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from conformance import limits
from conformance.results import Death, ResultRecord, ResultsError, records
from conformance.verdicts import Outcome, Verdict

__all__ = ["Session", "confirm"]

# How long a suspected predecessor is watched after its end: a thread that it left behind may strike late.
LINGER_S = 1.0


class Session(Protocol):
    """What is needed of the session in which the deaths happened."""

    config: pytest.Config
    deaths: list[Death]

    def settle(self, cell: str, outcome: Outcome, duration_s: float) -> None: ...
    def nodeid_of(self, cell: str) -> str: ...
    def before(self, death: Death) -> str | None: ...


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


def _blame_predecessor(session: Session, death: Death, alone: Lone) -> None:
    earlier = session.before(death)
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
        limit = limits.hard_limit(session.config.getoption("limit"))
        command = [*_command(session, cell, results), "--linger", str(linger_s)]
        # Starting Python and importing the engine is not the behaviour's time.
        began = time.perf_counter()
        status = _status(command, timeout=limit + 120)
        duration = round(time.perf_counter() - began, 6)
        return _read(results, status, duration)


def _command(session: Session, cell: str, results: Path) -> list[str]:
    """The same session, for one cell, without workers."""
    config = session.config
    options = ["--engine", config.getoption("engine"), "--limit", str(config.getoption("limit"))]
    where = ["-c", str(config.inipath), "--rootdir", str(config.rootpath)] if config.inipath else []
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0", "--lone", "--results", str(results)]
    nodeid = str(config.rootpath / session.nodeid_of(cell))
    return [sys.executable, "-m", "pytest", "-p", "conformance.plugin", *where, *options, *quiet, nodeid]


def _status(command: list[str], timeout: float) -> int | None:
    try:
        quiet = subprocess.DEVNULL
        return subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=timeout, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def _read(results: Path, status: int | None, duration_s: float) -> Lone:
    row = _row(results)
    if row is not None and status in (0, 1):
        return Lone(Outcome(row.verdict, row.answer, row.message), row.duration_s)
    if status is None or limits.ran_out(results.with_suffix(".marker")):
        return Lone(Outcome(Verdict.TIMEOUT, message="took longer than the hard limit"), duration_s)
    return Lone(Outcome(Verdict.CRASH, message=f"the process {_ended(status)}"), duration_s)


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
