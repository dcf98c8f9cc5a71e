"""Drafts of known failures for cells without an entry, and the entries that did not occur as they say.

A draft has everything but its cause, which only a person can give; until then the loader rejects the file. So no
failure becomes a known one by running a command.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from packaging.version import InvalidVersion, Version

from conformance.engines import installed
from conformance.known_causes import LISTABLE, PARTS, KnownFailure
from conformance.known_failures import KnownFailureError, file_of, read
from conformance.results_file import read as read_results
from conformance.verdicts import Outcome, Verdict
from reports.matrix import load as load_matrix

# Characters of a message that distinguish it from others; the rest is the first to change between versions.
DISTINCTIVE = 120


@dataclass(frozen=True)
class EngineOutcomes:
    """The cells of one engine in one version; `brought` is its own file of known failures, if it has one.

    Of programs, the cells are signatures, and `examples` the kind and seed of a program with each.
    """

    engine: str
    version: str
    brought: str
    part: str
    complete: bool
    outcomes: Mapping[str, Outcome]
    examples: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.engine} {self.version}"

    def has(self, entry: KnownFailure) -> bool:
        """Whether the entry is about this engine, version and part. Raises InvalidVersion."""
        return entry.part == self.part and entry.is_of(self.engine) and entry.applies_to(self.version)


class DraftRecord(msgspec.Struct):
    """A line to add to the list `part` of a cause. No `columns`: the file is of one engine."""

    part: str
    cell: str
    verdict: Verdict
    message: str
    versions: str
    columns: list[str] = []
    example: str = ""

    def holds(self, cell: str, outcome: Outcome) -> bool:
        """Whether the draft lists this cell with this outcome."""
        same = (cell, outcome.verdict) == (self.cell, self.verdict)
        return same and re.search(self.message, outcome.message) is not None


class StaleEntryRecord(msgspec.Struct):
    """An entry that did not occur as it says: its cause, and its place from 1 in the list `part` there."""

    cause: str
    part: str
    place: int
    cell: str
    problem: str


class KnownFileRecord(msgspec.Struct):
    """Changes to one file of known failures: lines to add, whose cause is missing, and stale ones."""

    file: str
    drafts: list[DraftRecord]
    stale: list[StaleEntryRecord]
    written: bool = False


def columns(path: Path) -> list[EngineOutcomes]:
    """The columns of a results file, or of a matrix.json. Raises ResultsError or ReportError."""
    if path.suffix == ".json":
        return _of_matrix(path)
    file = read_results(path)
    head = file.header
    outcomes = {row.signature or row.id: row.outcome for row in file.results}
    examples = {row.signature: row.id.partition("[")[2].rstrip("]") for row in file.results if row.signature}
    engine, part = head.engine, head.part or PARTS[0]
    return [EngineOutcomes(engine.name, engine.version, head.known_failures, part, head.complete, outcomes, examples)]


def _of_matrix(path: Path) -> list[EngineOutcomes]:
    matrix, columns = load_matrix(path), []
    for engine in matrix.engines:
        its = [cell for cell in matrix.cells if cell.engine == engine.column]
        outcomes = {cell.behaviour: Outcome(cell.verdict, cell.convention, cell.message) for cell in its}
        examples = {cell.behaviour: cell.program.name for cell in its if cell.program}
        # A matrix does not have the paths of files that adapters from outside bring. Its title is the name of a part.
        place = (engine.name, engine.version, "", matrix.section.title, engine.complete)
        columns.append(EngineOutcomes(*place, outcomes, examples))
    return columns


def drafted(results: Sequence[EngineOutcomes], file: Path | None) -> list[KnownFileRecord]:
    """The changes, file by file: to `file`, or to each engine's own. Raises KnownFailureError."""
    homes = dict.fromkeys(file_of(column.engine) for column in results)
    if file and len(homes) > 1:
        names = ", ".join(dict.fromkeys(column.engine for column in results))
        raise KnownFailureError(f"--file {file}: is for one engine package, but the results are of {names}")
    by_file: dict[Path, list[EngineOutcomes]] = {}
    for column in results:
        by_file.setdefault(file or _own_file(column), []).append(column)
    return [_changes(path, its) for path, its in by_file.items()]


def _own_file(column: EngineOutcomes) -> Path:
    path = Path(column.brought) if column.brought else file_of(column.engine)
    # An engine of the suite gets its file with its first entry; where another keeps its own, only its adapter knows.
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
        return KnownFileRecord(str(path), _drafts(entries, its), _stale(entries, its))
    except InvalidVersion as error:
        raise KnownFailureError(f"{path}: has entries with a range of versions: {error}") from None


def _stale(entries: Sequence[KnownFailure], its: Sequence[EngineOutcomes]) -> list[StaleEntryRecord]:
    records = []
    places = Counter[tuple[str, str]]()
    for entry in entries:
        # Before any entry is left out: it is by its place that the line in the file is known.
        places[entry.cause.name, entry.part] += 1
        # A signature that a campaign did not see may come with other seeds.
        concerned = [column for column in its if column.has(entry) and entry.part != "programs"]
        problems = [(column, entry.stale(column.outcomes, column.complete)) for column in concerned]
        if problem := "; ".join(f"{column}: {problem}" for column, problem in problems if problem):
            place = places[entry.cause.name, entry.part]
            records.append(StaleEntryRecord(entry.cause.name, entry.part, place, entry.cell, problem))
    return records


def _drafts(entries: Sequence[KnownFailure], its: Sequence[EngineOutcomes]) -> list[DraftRecord]:
    """A draft for each cell without an entry. A cell with a stale entry gets none: that entry is to be corrected."""
    drafts: list[DraftRecord] = []
    engines = {column.engine for column in its}
    # Without columns, a line is of all engines that use the file.
    named = len(engines) > 1 or any(entry.columns for entry in entries)
    # The oldest version first: its draft then holds for the later ones that behave the same.
    for column in sorted(its, key=lambda column: _version(column.version) or Version("0")):
        mine = [entry for entry in entries if column.has(entry)]
        for cell, outcome in column.outcomes.items():
            if outcome.verdict not in LISTABLE or any(entry.concerns(cell) for entry in mine):
                continue
            draft = next((draft for draft in drafts if draft.holds(cell, outcome)), None)
            if draft is None:
                drafts.append(draft := _draft(cell, outcome, column))
            if named and column.engine not in draft.columns:
                draft.columns.append(column.engine)
    return drafts


def _draft(cell: str, outcome: Outcome, column: EngineOutcomes) -> DraftRecord:
    version = _version(column.version)
    # Without the local part, such as +cpu, which names a build: an entry is of all builds.
    versions = f">={version.public}" if version else ""
    if column.part == "programs":  # the signature has what the message would
        return DraftRecord(column.part, cell, Verdict.FAIL, "", versions, [], column.examples.get(cell, ""))
    return DraftRecord(column.part, cell, outcome.verdict, pattern(outcome.message), versions, [])


def pattern(message: str) -> str:
    """A regular expression for the beginning of a message, with any address in memory for those in it."""
    first = next((line for line in message.split("\n") if line.strip()), "")
    parts = re.split(r"0x[0-9a-fA-F]+", first[:DISTINCTIVE])
    # Of an empty message not the empty pattern, which would fit every message.
    return "0x[0-9a-fA-F]+".join(map(_escape, parts)) or r"^\s*$"


def _escape(text: str) -> str:
    # By way of a line end, as a dot for what cannot be printed would be escaped with the others.
    visible = "".join(letter if letter.isprintable() else "\n" for letter in text)
    # Not re.escape, which puts a backslash before every space.
    return re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", visible).replace("\n", ".")


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
