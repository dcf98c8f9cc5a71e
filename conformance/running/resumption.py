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
    BehaviourRecord,
    DeathRecord,
    Header,
    Record,
    ResultRecord,
    ResultsError,
    TallyRecord,
)
from conformance.results_file import headed, last_per_cell
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
        header, lines = headed(path)
        # Of cells there are none.
        tallies = join_tallies(line for line in lines if isinstance(line, TallyRecord))
    except ResultsError as error:
        problem = str(error).removeprefix(f"{path}: ")
        raise ResultsError(f"{path}: {problem}; it cannot be resumed: run without --resume") from None
    cells = tuple(cell for line in lines if isinstance(line, BehaviourRecord) for cell in line.cells)
    if len(cells) < header.selected:
        return None  # killed while the behaviours were being written
    rows, doubted = {row.id: row for row in last_per_cell(lines)}, _doubted(lines)
    # Programs have no list of cells: what is missing follows from the tallies.
    if header.part != PROGRAMS and (strange := rows.keys() - set(cells)):
        raise ResultsError(f"{path}: has a result of {min(strange)!r}, which was not selected; run without --resume")
    deaths = [line for line in lines if isinstance(line, DeathRecord)]
    return Earlier(header, cells, {cell: row for cell, row in rows.items() if cell not in doubted}, tallies, deaths)


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
    try:
        # The system frees the lock with the process, also when that is killed.
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout:
        problem = "another run writes to it; wait for its end, or give another --output"
        raise ResultsError(f"{folder}: {problem}") from None
