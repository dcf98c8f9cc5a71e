"""Drafts of known failures for cells without an entry, and the entries that did not occur as they say.

A draft has everything but its reason, which only a person can give; until then the loader rejects the file. So no
failure becomes a known one by running a command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from packaging.version import InvalidVersion, Version

from conformance.engines import installed
from conformance.known_failures import DRAFT, LISTABLE, KnownFailure, KnownFailureError, file_of, read
from conformance.results_file import read as read_results
from conformance.verdicts import Outcome
from reports.matrix import load as load_matrix

__all__ = ["EngineOutcomes", "KnownFileRecord", "StaleEntryRecord", "columns", "drafted", "pattern"]

# Characters of a message that tell it from others; the rest is the first to change between versions.
TELLING = 120


@dataclass(frozen=True)
class EngineOutcomes:
    """The cells of one engine in one version; `brought` is its own file of known failures, if it has one."""

    engine: str
    version: str
    brought: str
    complete: bool
    outcomes: Mapping[str, Outcome]

    def __str__(self) -> str:
        return f"{self.engine} {self.version}"


class StaleEntryRecord(msgspec.Struct):
    """An entry, by its number in the file from 1, that did not occur as it says."""

    entry: int
    problem: str


class KnownFileRecord(msgspec.Struct):
    """What is to change in one file of known failures: entries to add, whose reason is missing, and stale ones."""

    file: str
    drafts: list[KnownFailure]
    stale: list[StaleEntryRecord]
    written: bool = False


def columns(path: Path) -> list[EngineOutcomes]:
    """The columns of a results file, or of a matrix.json. Raises ResultsError or ReportError."""
    if path.suffix == ".json":
        return _of_matrix(path)
    file = read_results(path)
    head = file.header
    outcomes = {row.id: row.outcome for row in file.results}
    return [EngineOutcomes(head.engine.name, head.engine.version, head.known_failures, head.complete, outcomes)]


def _of_matrix(path: Path) -> list[EngineOutcomes]:
    matrix = load_matrix(path)
    cells: dict[str, dict[str, Outcome]] = {engine.column: {} for engine in matrix.engines}
    for cell in matrix.cells:
        cells[cell.engine][cell.behaviour] = Outcome(cell.verdict, cell.convention, cell.message)
    # A matrix does not have the paths of files that adapters from outside bring.
    return [EngineOutcomes(one.name, one.version, "", one.complete, cells[one.column]) for one in matrix.engines]


def drafted(found: Sequence[EngineOutcomes], file: Path | None) -> list[KnownFileRecord]:
    """What is to change, file by file: in `file`, or in each engine's own. Raises KnownFailureError."""
    names = dict.fromkeys(column.engine for column in found)
    if file and len(names) > 1:
        raise KnownFailureError(f"--file {file}: is for one engine, but the results are of {', '.join(names)}")
    by_file: dict[Path, list[EngineOutcomes]] = {}
    for column in found:
        by_file.setdefault(file or _own_file(column), []).append(column)
    return [_changes(path, its) for path, its in by_file.items()]


def _own_file(column: EngineOutcomes) -> Path:
    path = Path(column.brought) if column.brought else file_of(column.engine)
    # An engine of the suite gets its file with its first entry; where another keeps its own, only its adapter can
    # say.
    if path.exists() or _is_ours(column.engine):
        return path
    raise KnownFailureError(
        f"{path}: no such file; name the file of known failures of engine {column.engine!r} by --file, and in its "
        "adapter's attribute `known_failures`"
    )


def _is_ours(engine: str) -> bool:
    point = installed().get(engine.partition(":")[0])
    return point is not None and point.value.startswith("adapters.")


def _changes(path: Path, its: Sequence[EngineOutcomes]) -> KnownFileRecord:
    entries = read(path, drafts=True) if path.exists() else []
    try:
        # From one, as the loader's errors count.
        problems = [StaleEntryRecord(number, _stale(entry, its)) for number, entry in enumerate(entries, 1)]
        return KnownFileRecord(str(path), _drafts(entries, its), [one for one in problems if one.problem])
    except InvalidVersion as error:
        raise KnownFailureError(f"{path}: has entries with a range of versions: {error}") from None


def _stale(entry: KnownFailure, its: Sequence[EngineOutcomes]) -> str:
    concerned = [column for column in its if entry.applies_to(column.version)]
    found = [(column, entry.stale(column.outcomes, column.complete)) for column in concerned]
    return "; ".join(f"{column}: {problem}" for column, problem in found if problem)


def _drafts(entries: Sequence[KnownFailure], its: Sequence[EngineOutcomes]) -> list[KnownFailure]:
    """An entry for each cell without one. A cell with a stale entry gets none: that entry is to be corrected."""
    found: list[KnownFailure] = []
    # The oldest version first: its draft then holds for the later ones that behave the same.
    for column in sorted(its, key=lambda column: _version(column.version) or Version("0")):
        mine = [entry for entry in entries if entry.applies_to(column.version)]
        for cell, outcome in column.outcomes.items():
            listed = any(entry.concerns(cell) for entry in mine)
            drafted = any(draft.concerns(cell) and draft.holds(outcome) for draft in found)
            if outcome.verdict in LISTABLE and not listed and not drafted:
                found.append(_draft(cell, outcome, column))
    return found


def _draft(cell: str, outcome: Outcome, column: EngineOutcomes) -> KnownFailure:
    reason = f"{DRAFT}: why does {column.engine} do this, and where is it documented or reported?"
    version = _version(column.version)
    versions = f">={version.public}" if version else ""
    return KnownFailure(cell, outcome.verdict, pattern(outcome.message), reason, versions)


def pattern(message: str) -> str:
    """A regular expression for the beginning of a message, with any address in memory for those in it."""
    first = next((line for line in message.split("\n") if line.strip()), "")
    parts = re.split(r"0x[0-9a-fA-F]+", first[:TELLING])
    return "0x[0-9a-fA-F]+".join(map(_literally, parts))


def _literally(text: str) -> str:
    # Not re.escape, which puts a backslash before every space.
    visible = "".join(letter if letter.isprintable() else "\n" for letter in text)
    return re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", visible).replace("\n", ".")


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
