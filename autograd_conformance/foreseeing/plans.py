"""What could be known: drafts of entries for cells that nobody foresaw, and the entries that did not come true.

A draft has everything but its reason, which only a person can give; until then the loader refuses the file. So nothing
that an engine does is accepted by running a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from conformance.engines import installed
from conformance.known_failures import DRAFT, LISTABLE, KnownFailure, KnownFailureError, file_of, read
from conformance.results import read as read_results
from conformance.verdicts import Outcome
from reports.matrix import load as load_matrix

__all__ = ["Column", "Plan", "columns", "pattern", "plans"]

# As much of a message as tells it from others, and no more: the rest is the first to change.
TELLING = 120


@dataclass(frozen=True)
class Column:
    """The cells of one engine in one version, and the file of known failures that it brought, if it did."""

    engine: str
    version: str
    brought: str
    complete: bool
    outcomes: Mapping[str, Outcome]

    def __str__(self) -> str:
        return f"{self.engine} {self.version}"


@dataclass(frozen=True)
class Plan:
    """What is to change in one file: entries to add, and what is wrong with those there, by their number from 0."""

    path: Path
    drafts: Sequence[KnownFailure]
    stale: Mapping[int, str]


def columns(path: Path) -> list[Column]:
    """The columns of a results file, or of a matrix.json. Raises ResultsError or ReportError."""
    if path.suffix == ".json":
        return _of_matrix(path)
    file = read_results(path)
    head = file.header
    outcomes = {row.id: Outcome(row.verdict, row.convention, row.message) for row in file.results}
    return [Column(head.engine.name, head.engine.version, head.known_failures, head.complete, outcomes)]


def _of_matrix(path: Path) -> list[Column]:
    matrix = load_matrix(path)
    cells: dict[str, dict[str, Outcome]] = {engine.column: {} for engine in matrix.engines}
    for cell in matrix.cells:
        cells[cell.engine][cell.behaviour] = Outcome(cell.verdict, cell.convention, cell.message)
    return [Column(one.name, one.version, "", one.complete, cells[one.column]) for one in matrix.engines]


def plans(found: Sequence[Column], file: Path | None) -> Iterator[Plan]:
    """What is to change, file by file: in `file`, or in each column's own. Raises KnownFailureError."""
    names = dict.fromkeys(column.engine for column in found)
    if file and len(names) > 1:
        raise KnownFailureError(f"{file}: is to foresee one engine, but the results are of {', '.join(names)}")
    by_file: dict[Path, list[Column]] = {}
    for column in found:
        by_file.setdefault(file or _own_file(column), []).append(column)
    for path, its in by_file.items():
        yield _plan(path, its)


def _own_file(column: Column) -> Path:
    path = Path(column.brought) if column.brought else file_of(column.engine)
    if path.exists() or _is_ours(column.engine):
        return path
    raise KnownFailureError(
        f"{path}: no such file; name the known failures of engine {column.engine!r} by --file, and in its adapter's "
        "attribute `known failures`"
    )


def _is_ours(engine: str) -> bool:
    point = installed().get(engine.partition(":")[0])
    return point is not None and point.value.startswith("adapters.")


def _plan(path: Path, its: Sequence[Column]) -> Plan:
    entries = read(path, drafts=True) if path.exists() else []
    try:
        stale = {number: problem for number, entry in enumerate(entries) if (problem := _stale(entry, its))}
        return Plan(path, _drafts(entries, its), stale)
    except InvalidVersion as error:
        raise KnownFailureError(f"{path}: has entries with a range of versions: {error}") from None


def _stale(entry: KnownFailure, its: Sequence[Column]) -> str:
    concerned = [column for column in its if entry.applies_to(column.version)]
    found = [(column, entry.stale(column.outcomes, column.complete)) for column in concerned]
    return "; ".join(f"{column}: {problem}" for column, problem in found if problem)


def _drafts(entries: Sequence[KnownFailure], its: Sequence[Column]) -> list[KnownFailure]:
    """An entry for each cell that no entry speaks of, not even one that did not come true: that one is to be mended."""
    found: list[KnownFailure] = []
    for column in sorted(its, key=lambda column: _order(column.version)):
        mine = [entry for entry in entries if entry.applies_to(column.version)]
        for cell, outcome in column.outcomes.items():
            spoken_of = any(entry.concerns(cell) for entry in mine)
            drafted = any(draft.concerns(cell) and draft.holds(outcome) for draft in found)
            if outcome.verdict in LISTABLE and not spoken_of and not drafted:
                found.append(_draft(cell, outcome, column))
    return found


def _draft(cell: str, outcome: Outcome, column: Column) -> KnownFailure:
    reason = f"{DRAFT}: why does {column.engine} do this, and where is it documented or reported?"
    return KnownFailure(cell, outcome.verdict, pattern(outcome.message), reason, versions=_from_here_on(column.version))


def pattern(message: str) -> str:
    """A regular expression that finds the telling beginning of a message; addresses in memory may be others."""
    first = next((line for line in message.split("\n") if line.strip()), "")
    parts = re.split(r"0x[0-9a-fA-F]+", first[:TELLING])
    return "0x[0-9a-fA-F]+".join(map(_literally, parts))


def _literally(text: str) -> str:
    # Not re.escape: it would put a backslash before every space.
    visible = "".join(letter if letter.isprintable() else "\n" for letter in text)
    return re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", visible).replace("\n", ".")


def _order(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:
        return Version("0")


def _from_here_on(version: str) -> str:
    try:
        return f">={Version(version).public}"
    except InvalidVersion:
        return ""
