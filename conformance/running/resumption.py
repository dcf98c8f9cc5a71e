"""Resuming a run that was cut short, and locks that keep two runs from writing to the same file.

Lines are only ever appended, so a file that was cut short is valid up to its last whole line: a torn line is cut off,
and cells without a result are run again. Suite, engine, adapter and options must be the same, because verdicts depend
on them: the first difference is the error message.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from conformance.results import (
    PROGRAMS,
    SCHEMA,
    BehaviourRecord,
    DeathRecord,
    Header,
    Record,
    ResultRecord,
    ResultsError,
    TallyRecord,
)
from conformance.results_file import last_per_cell, records
from conformance.tallies import join_tallies
from conformance.verdicts import Verdict


@dataclass(frozen=True)
class Earlier:
    """The content of an interrupted run's file: header, selected cells, rows; of generated programs joined tallies."""

    header: Header
    cells: tuple[str, ...]
    results: dict[str, ResultRecord]
    tallies: list[TallyRecord]
    deaths: list[DeathRecord]


def earlier(path: Path) -> Earlier | None:
    """The content of a results file, truncated to its last whole line; None if it has no complete list of cells.

    Raises ResultsError if it is not a results file.
    """
    if not path.exists() or not _cut_back(path):
        return None
    try:
        lines = list(records(path))
    except ResultsError as error:
        raise ResultsError(f"{error}; it cannot be resumed: run without --resume") from None
    if not isinstance(lines[0], Header):
        raise ResultsError(f"{path}: does not begin with a header; run without --resume to start anew")
    if lines[0].schema != SCHEMA:
        raise ResultsError(f"{path}: has schema {lines[0].schema!r}, expected {SCHEMA!r}; run without --resume")
    cells = tuple(cell for line in lines if isinstance(line, BehaviourRecord) for cell in line.cells)
    if len(cells) < lines[0].selected:
        return None  # killed while the behaviours were being written
    rows, deaths = last_per_cell(lines), [line for line in lines if isinstance(line, DeathRecord)]
    # Programs have no list of cells: what is missing follows from the tallies.
    if lines[0].part == PROGRAMS:
        return Earlier(lines[0], (), {row.id: row for row in rows}, _tallies(path, lines), deaths)
    if strange := {row.id for row in rows} - set(cells):
        raise ResultsError(f"{path}: has a result of {min(strange)!r}, which was not selected; run without --resume")
    doubted = _doubted(lines)
    return Earlier(lines[0], cells, {row.id: row for row in rows if row.id not in doubted}, [], deaths)


def _tallies(path: Path, lines: Sequence[Record]) -> list[TallyRecord]:
    try:
        return join_tallies(line for line in lines if isinstance(line, TallyRecord))
    except ResultsError as error:
        raise ResultsError(f"{path}: {error}; run without --resume") from None


def _doubted(lines: Sequence[Record]) -> set[str]:
    """The cells to run again although they have a result.

    The error of a death that did not recur may have had a cause outside. A death that was not tried again before the
    run was cut short may have been caused by the cell before it.
    """
    doubted: dict[str, str] = {}
    for line in lines:
        if isinstance(line, DeathRecord):
            doubted[line.id] = line.after
        elif isinstance(line, ResultRecord) and line.id in doubted:
            doubted[line.id] = line.id if line.verdict is Verdict.ERROR else ""
    return set(doubted.values())


def _cut_back(path: Path) -> int:
    """Cut off a torn last line, and a footer, since rows will follow; return the bytes that are left."""
    whole = path.read_bytes()
    lines = whole[: whole.rfind(b"\n") + 1].splitlines(keepends=True)
    if lines and lines[-1].startswith(b'{"kind":"footer"'):
        lines.pop()
    # Truncated in place: a copy could be lost halfway.
    length = sum(map(len, lines))
    os.truncate(path, length)
    return length


def pending(before: Earlier | None, cells: Sequence[str]) -> list[str]:
    """The cells that are still to be run. Raises ResultsError if an interrupted run was about others."""
    if before is None:
        return list(cells)
    # As sets: the order may differ, since verdicts do not depend on it.
    if set(before.cells) != set(cells):
        raise ResultsError(
            f"the interrupted run selected {len(before.cells)} cells, this one {len(cells)} others or more; "
            "name the same behaviours, or run without --resume"
        )
    return [cell for cell in cells if cell not in before.results]


def check_same_run(path: Path, old: Header, new: Header) -> None:
    """Raise ResultsError unless the headers agree in everything that a verdict depends on."""
    # Not the number of workers, nor the order of names: no verdict depends on them.
    pairs = {
        "suite revision": (old.suite.revision, new.suite.revision),
        "engine": (f"{old.engine.spec} {old.engine.version}", f"{new.engine.spec} {new.engine.version}"),
        "adapter": (old.adapter, new.adapter),
        "sources": (old.engine.sources, new.engine.sources),
        "Python": (old.engine.python, new.engine.python),
        "seed": (old.seed, new.seed),
        "limit": (old.limit_s, new.limit_s),
        "memory limit": (old.memory_gib, new.memory_gib),
        "list of known failures": (old.listed, new.listed),
    }
    run = "campaign" if new.part == PROGRAMS else "run"
    for what, (was, now) in pairs.items():
        if was != now:
            raise ResultsError(f"{path}: cannot be resumed: its {what} was {was}, this {run}'s is {now}; run it anew")


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock the folder during this block. Raises ResultsError if another run uses it, OSError if it is missing."""
    # The system frees the lock with the process, also when that is killed.
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        problem = "another run writes to it; wait for its end, or give another --output"
        raise ResultsError(f"{folder}: {problem}") from None
    try:
        yield
    finally:
        lock.release()
