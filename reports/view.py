"""The matrix as it is shown: rows by chapter, highlights, counts, and a summary sentence."""

from __future__ import annotations

import re
from calendar import month_name
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from conformance.verdicts import Verdict
from reports.changes import LACKING
from reports.model import Matrix, MatrixBehaviour, MatrixCell, MatrixEngine, Section

# The summary sentence names up to this number of engines; more are counted.
_NAMED_ENGINES = 4

_NOUNS = {Section.BEHAVIOURS: "behaviour", Section.OPERATIONS: "law", Section.PROGRAMS: "signature"}

# In the order in which they are shown: the good, the informative, the absent, the bad.
LEGEND = {
    Verdict.PASS: "Does what the behaviour says; or follows the convention that its own documentation promises.",
    Verdict.FAIL: "Deviates from a sentence of a documentation that the engine is held to, or from the right number.",
    Verdict.DIFFERS: "Deviates, and no documentation that the engine is held to promises the behaviour.",
    Verdict.ABSENT: "The engine lacks the feature by design. The reason is given, and a probe proved it in this run.",
    Verdict.UNSUPPORTED: "The adapter, which speaks to the engine, says nothing about a feature that is needed.",
    Verdict.CRASH: "The process died inside this behaviour, and again when it was tried alone.",
    Verdict.TIMEOUT: "The time limit passed inside this behaviour, and again when it was tried alone.",
    Verdict.ERROR: "The adapter or the suite broke. Nothing is said about the engine.",
}


@dataclass(frozen=True)
class TableRow:
    """A behaviour with a cell per engine, in the order of the engines; None where it was not run."""

    behaviour: MatrixBehaviour
    cells: tuple[MatrixCell | None, ...]

    @property
    def case(self) -> str:
        """The case's name, by which rows with the same statement differ; empty where there is none."""
        return self.behaviour.id.partition("[")[2].removesuffix("]").replace("_", " ")

    @cached_property  # which a frozen dataclass allows: it writes into __dict__
    def ran(self) -> list[MatrixCell]:
        """The cells that there are."""
        return [cell for cell in self.cells if cell is not None]


@dataclass(frozen=True)
class ChapterRows:
    """The rows of a chapter."""

    name: str
    rows: list[TableRow]

    @property
    def title(self) -> str:
        """Its title, or its name in words."""
        return self.rows[0].behaviour.chapter_title or self.name.replace("_", " ").capitalize()


def rows(matrix: Matrix) -> list[TableRow]:
    """All rows, in reading order."""
    cells = {(cell.behaviour, cell.engine): cell for cell in matrix.cells}
    columns = [engine.column for engine in matrix.engines]
    return [TableRow(b, tuple(cells.get((b.id, column)) for column in columns)) for b in matrix.behaviours]


def _gives(*verdicts: Verdict) -> Callable[[TableRow], bool]:
    return lambda row: any(cell.verdict in verdicts and not cell.engine_wide for cell in row.ran)


def _conventions_in(row: TableRow) -> set[str]:
    """The different conventions that engines gave."""
    return {cell.convention for cell in row.ran if cell.convention is not None}


# The most important first; a row is highlighted for the first that fits. Absence is no outcome, so it cannot disagree.
_REASONS: dict[str, Callable[[TableRow], bool]] = {
    "A promise is broken": _gives(Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT),
    "The check itself broke": _gives(Verdict.ERROR),
    "An engine deviates where its documentation makes no promise": _gives(Verdict.DIFFERS),
    "Engines follow different documented conventions": lambda row: len(_conventions_in(row)) > 1,
}


def reason(row: TableRow) -> int | None:
    """Index of the first reason to highlight a row, None if there is none."""
    return next((place for place, fits in enumerate(_REASONS.values()) if fits(row)), None)


def highlights_first(table: Iterable[TableRow]) -> list[ChapterRows]:
    """The rows by chapter, highlighted rows first; chapters with most of them come first."""
    chapters: dict[str, ChapterRows] = {}
    # The sort is stable: rows of a rank stay in reading order.
    for row in sorted(table, key=_rank):
        name = row.behaviour.chapter
        chapters.setdefault(name, ChapterRows(name, [])).rows.append(row)
    return sorted(chapters.values(), key=_weight)


def _rank(row: TableRow) -> int:
    place = reason(row)
    return len(_REASONS) if place is None else place


def _weight(chapter: ChapterRows) -> list[int]:
    """Sorts chapters by how many rows have the first reason, then the second, and so on; the sort keeps ties."""
    ranks = Counter(map(_rank, chapter.rows))
    # Lists compare from the first reason on, and negative counts put the most first.
    return [-ranks[place] for place in range(len(_REASONS))]


def disagreements(table: Sequence[TableRow]) -> dict[str, list[TableRow]]:
    """The rows in which engines disagree or break a promise, by the reason; reasons without rows are left out."""
    groups = {title: [row for row in table if reason(row) == place] for place, title in enumerate(_REASONS)}
    return {title: rows for title, rows in groups.items() if rows}


def shared(matrix: Matrix) -> str:
    """The number of rows that ran on every engine, as a sentence; empty if there is a single engine."""
    if len(matrix.engines) < 2:
        return ""
    table = rows(matrix)
    everywhere = [
        row for row in table if None not in row.cells and LACKING.isdisjoint(cell.verdict for cell in row.ran)
    ]
    share = 100 * len(everywhere) / len(table)
    return f"{len(everywhere)} of {len(table)} rows ({share:.0f} %) ran on every engine; elsewhere one lacks a feature."


def counts(matrix: Matrix) -> dict[str, dict[str, int]]:
    """Cells of each column per verdict, in the order of the legend; then those not run, and the known failures."""
    verdicts = Counter((cell.engine, cell.verdict) for cell in matrix.cells)
    known = Counter(cell.engine for cell in matrix.cells if cell.known)
    tables = {}
    for column in (engine.column for engine in matrix.engines):
        count = {verdict.value: verdicts[column, verdict] for verdict in LEGEND}
        tables[column] = {**count, "not run": len(matrix.behaviours) - sum(count.values()), "known": known[column]}
    return tables


def used(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The names of counts that are not zero for every column."""
    return [name for name in next(iter(counts.values()), ()) if any(count[name] for count in counts.values())]


def name_of(engine: MatrixEngine) -> str:
    """A column's name without the version, which is shown beside it."""
    return engine.column.removesuffix(f"@{engine.version}")


def sentence(matrix: Matrix) -> str:
    """The run in a sentence: claims, engines, days and places."""
    engines = [f"{name_of(engine)} {engine.version}" for engine in matrix.engines]
    on = _series(engines) if len(engines) <= _NAMED_ENGINES else _number(len(engines), "engine")
    # Texts in ISO 8601 sort by date.
    days = sorted({engine.started[:10] for engine in matrix.engines}) or ["no day"]
    places = sorted({f"{_brief(engine.platform)} with Python {engine.python}" for engine in matrix.engines})
    part = "" if all(engine.complete for engine in matrix.engines) else "A selection of "
    chapters_run = len({row.chapter for row in matrix.behaviours})
    return (
        f"{part}{_behaviours(matrix)} in {_number(chapters_run, 'chapter')}, "
        f"run on {on}, {_span(days)}, on {_series(places)}."
    )


def _brief(platform: str) -> str:
    """System and processor of a platform's long name, which the table of the engines has in full."""
    # As platform.platform() makes it: Linux-6.1.0-x86_64-with-glibc2.36.
    match = re.fullmatch(r"([A-Za-z]+)-[\w.+-]*-(x86_64|aarch64|arm64|AMD64)\b[\w.+-]*", platform)
    return " ".join(match.groups()) if match else platform


def _behaviours(matrix: Matrix) -> str:
    """The number of claims, and of rows, where some have cases."""
    claims = len({row.id.partition("[")[0] for row in matrix.behaviours})
    rows_shown = (
        "" if claims == len(matrix.behaviours) else f" ({_number(len(matrix.behaviours), 'row')} with their cases)"
    )
    return _number(claims, _NOUNS[matrix.section]) + rows_shown


def _span(days: Sequence[str]) -> str:
    first, last = _day(days[0]), _day(days[-1])
    return f"on {first}" if len(days) == 1 else f"between {first} and {last}"


def _day(iso: str) -> str:
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return iso
    # Its names are those of the locale, which is the C locale unless a program sets another: nothing here does.
    return f"{day.day} {month_name[day.month]} {day.year}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _series(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words) or "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"
