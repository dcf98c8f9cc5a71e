"""A guide from an engine to another: what changes silently, what raises an error, what is written otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec
from markupsafe import Markup

from conformance.verdicts import Reason, Verdict
from reports.files import ReportError
from reports.markdown import code, escape
from reports.model import Matrix, MatrixBehaviour, MatrixCell
from reports.page_templates import environment
from reports.text import excerpt, link, words

# Conventions that are an error.
ERRORS = ("raises", "error")
# As many reasons as people read: those of most rows.
REASONS = 20
Pair = tuple[MatrixBehaviour, MatrixCell, MatrixCell]


class ChangedClaim(msgspec.Struct, frozen=True):
    """A claim that both engines run, and not alike: the outcomes of its first such case, and its number of cases.

    `programs` are its native programs on both, where results have scripts.
    """

    id: str
    statement: str
    cases: int
    start: str
    end: str
    programs: tuple[str, str] | None


class Topic(msgspec.Struct, frozen=True):
    """Differences in a group of the table of contents; `example` is the one with the shortest programs."""

    title: str
    differences: list[ChangedClaim]
    example: ChangedClaim | None


class Lack(msgspec.Struct, frozen=True):
    """A reason why the other engine lacks features, with what to write instead, and its number of rows."""

    reason: str
    rows: int


class Guide(msgspec.Struct, frozen=True):
    """The changes for a program that moves from an engine to another, by parts of the table of contents.

    `silent` has other results, `raising` an error where there was none, `accepting` none where there was one. `alike`
    counts the rows on which both do the same. Numbers of rows are no part of the page, which a new behaviour on which
    engines agree is to leave as it is.
    """

    start: str
    end: str
    alike: int
    silent: list[Topic]
    raising: list[Topic]
    accepting: list[Topic]
    lacking: list[Lack]


def guide_between(matrix: Matrix, start: str, end: str) -> Guide:
    """The guide from a column to another. Raises ReportError where there is no such column."""
    engines = {engine.column: f"{engine.name} {engine.version.partition('+')[0]}" for engine in matrix.engines}
    for column in (start, end):
        if column not in engines:
            raise ReportError(f"no results of {column!r}; there are those of {', '.join(engines) or 'no engine'}")
    cells = {(cell.behaviour, cell.engine): cell for cell in matrix.cells}
    both = [(row, cells.get((row.id, start)), cells.get((row.id, end))) for row in matrix.behaviours]
    pairs: list[Pair] = [(row, one, other) for row, one, other in both if one and other]
    # Where the first engine does not do as stated, no program relies on the statement.
    run = [pair for pair in pairs if pair[1].verdict is Verdict.PASS]
    bands: dict[tuple[bool, bool], list[Pair]] = {}
    for pair in run:
        if _differ(*pair[1:]):
            bands.setdefault((_raises(pair[1]), _raises(pair[2])), []).append(pair)
    lacks = Counter(other.message for _, _, other in run if other.verdict is Verdict.ABSENT)
    return Guide(
        engines[start],
        engines[end],
        sum(other.verdict is Verdict.PASS and one.convention == other.convention for _, one, other in run),
        list(_topics(bands.get((False, False), []))),
        list(_topics(bands.get((False, True), []))),
        list(_topics(bands.get((True, False), []))),
        [Lack(*item) for item in lacks.items()],
    )


def _differ(one: MatrixCell, other: MatrixCell) -> bool:
    """Whether another engine does otherwise than one that does as stated."""
    deviates = other.verdict in (Verdict.FAIL, Verdict.DIFFERS)
    return deviates or (other.verdict is Verdict.PASS and one.convention != other.convention)


def _raises(cell: MatrixCell) -> bool:
    return cell.reason is Reason.RAISED or cell.convention in ERRORS


def _topics(pairs: list[Pair]) -> Iterator[Topic]:
    groups: dict[str, dict[str, list[Pair]]] = {}
    for pair in pairs:
        claims = groups.setdefault(pair[0].group or pair[0].chapter_title, {})
        claims.setdefault(pair[0].id.partition("[")[0], []).append(pair)
    # What concerns most claims comes first.
    for title, claims in sorted(groups.items(), key=lambda item: -len(item[1])):
        differences = [_difference(id, its) for id, its in claims.items()]
        shown = [(sum(map(len, it.programs)), it.id, it) for it in differences if it.programs]
        yield Topic(title, differences, min(shown)[-1] if shown else None)


def _difference(id: str, pairs: list[Pair]) -> ChangedClaim:
    row, one, other = pairs[0]
    programs = _program(one), _program(other)
    return ChangedClaim(
        id, row.statement, len(pairs), _outcome(one, other), _outcome(other, one), programs if all(programs) else None
    )


def _outcome(cell: MatrixCell, beside: MatrixCell) -> str:
    """The convention, error or number of a cell; of what does as stated, what the other was expected to give."""
    seen = cell.witness or (beside.witness if cell.verdict is Verdict.PASS else None)
    if cell.convention:
        return words(cell.convention)
    if cell.reason is Reason.RAISED and seen:
        return f"{seen.error}: {seen.text}"
    text = seen and (seen.expected if cell.verdict is Verdict.PASS else seen.got)
    return excerpt(re.sub(r"\d+\.\d{9,}(e[+-]?\d+)?", lambda found: f"{float(found[0]):.9g}", text or "as stated"), 80)


def _program(cell: MatrixCell) -> str:
    """The native program without its heading, which names the cell; empty where there is none."""
    return re.sub(r"\A(#.*\n|\n)*", "", cell.script).strip("\n")


def _prose(text: str) -> Markup:
    """Text with code between `backticks`, and with addresses that can be followed."""
    parts = re.split(r"`([^`]+)`|(https?://[^\s)]+)", text)
    shown = ""
    for plain, span, address in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
        # `escape` takes the blanks at both ends away.
        shown += f"{plain[:1].isspace() * ' '}{escape(plain)}{plain[1:][-1:].isspace() * ' '}"
        shown += f"{code(span) if span else ''}{f'<{address}>' if link(address or '') else ''}"
    return Markup(shown)


def render(guide: Guide) -> str:
    """The guide as Markdown."""
    pages = environment(lambda text: Markup(escape(text)), code=code, prose=_prose)
    most = sorted(guide.lacking, key=lambda lack: -lack.rows)[:REASONS]
    lacking = [lack.reason for lack in guide.lacking if lack in most]
    text = pages.get_template("guide.md.j2").render(guide=guide, markup=Markup, lacking=lacking)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"
