"""The blocks of the matrix for the page's script, beyond the table: JSON, deflated, in base64.

Texts that recur (messages, citations, reasons) are stored once and referred to by number. Programs (checks, and the
native script of each cell) share most of their paragraphs, so those are numbered too. They are a block of their own,
inflated only when a script is opened: a thousand behaviours on forty engines have tens of megabytes of scripts.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import defaultdict
from typing import Any

from conformance.mutants import killed_by
from conformance.results import CitationRecord, KnownRecord
from reports import text
from reports.changes import Kind, Seen, compare
from reports.model import Matrix, MatrixBehaviour, MatrixEngine
from reports.view import LEGEND, TableRow, reason

# (behaviour, column) to what the earlier matrix has there.
Changes = dict[tuple[str, str], Seen]

# A row's verdicts are a string, a character per column.
_LETTERS = {verdict: str(number) for number, verdict in enumerate(LEGEND)}
_NOT_RUN = "-"

# The page names at most this number of the mutants that a behaviour kills.
_MUTANTS = 5


# Distinct items in order of first use, each with its number. To look one up is to number it.
Numbers = defaultdict[Any, int]


def numbered(*first: str) -> Numbers:
    """Numbers of items, of which these are the first."""
    numbers: Numbers = defaultdict(lambda: len(numbers))
    for item in first:
        numbers[item]
    return numbers


def changes(matrix: Matrix, earlier: Matrix | None) -> Changes:
    """The earlier outcomes of cells that changed. A cell that a single matrix has is no change of verdict."""
    changed = compare(earlier, matrix).changes if earlier else []
    return {
        (change.behaviour, change.engine): change.before
        for change in changed
        if change.before and change.after and change.kind is not Kind.MESSAGE
    }


def data(matrix: Matrix, rows: list[TableRow], changes: Changes) -> str:
    """The block of rows, columns and texts, which the script reads when it starts."""
    # Number 0 is the empty text: no message.
    strings, citations = numbered(""), numbered()
    mutants = numbered()
    whole = {
        "suite": [matrix.suite.version, matrix.suite.revision],
        "verdicts": [verdict.value for verdict in LEGEND],
        "engines": [engine_fields(engine) for engine in matrix.engines],
        "rows": [
            {
                **claim_fields(row.behaviour, citations),
                **_chapter(row.behaviour),
                **_outcomes(row, strings),
                "old": _old(row, changes, strings),
                "mutants": [mutants[mutant] for mutant in killed_by([row.behaviour.id])[:_MUTANTS]],
                "why": reason(row),
            }
            for row in rows
        ],
    }
    tables = {"strings": list(strings), "citations": list(citations), "mutants": list(mutants)}
    return packed(_cleaned({**whole, **tables}))


def _cleaned(part: Any) -> Any:
    # Everything that the script shows passes here, so no text can be forgotten.
    if isinstance(part, str):
        return text.clip(part)
    if isinstance(part, dict):
        # Empty fields are left out: data.js puts them back.
        return {key: _cleaned(value) for key, value in part.items() if value not in ([], {}, None, "")}
    return [_cleaned(item) for item in part] if isinstance(part, (list, tuple)) else part


def engine_fields(engine: MatrixEngine) -> dict[str, object]:
    """A column as the page has it."""
    fields = {"column": engine.column, "spec": engine.spec, "name": engine.name, "version": engine.version}
    return {**fields, "sources": list(engine.sources)}


def claim_fields(row: MatrixBehaviour, citations: Numbers) -> dict[str, object]:
    """A claim as the page has it; its check is elsewhere."""
    cited = [citations[_citation(cited)] for cited in row.citations]
    return {"id": row.id, "level": row.level, "statement": row.statement, "cited": cited}


def _citation(cited: CitationRecord) -> tuple[str, ...]:
    """The fields of `citation` in data.js, in its order and without names: there are thousands."""
    place = (cited.source, cited.page, cited.title or cited.page, cited.section, text.link(cited.address) or "")
    bounds = (cited.since, cited.until, cited.raises, cited.warns, cited.says, cited.convention or "")
    sentences = ", ".join(f"{sentence.kind}: “{sentence.words} …”" for sentence in cited.evidence)
    return (*place, *bounds, sentences or (f"not stated there: {cited.unstated}" if cited.unstated else ""))


def known_fields(known: KnownRecord, strings: Numbers) -> list[int]:
    """A known failure: reason, date of review, cause, title, kind, then addresses that a browser may follow."""
    fields = [known.reason, known.review_after, known.cause, known.title, known.kind_name, *issue_links(known)]
    return [strings[field] for field in fields]


def issue_links(known: KnownRecord) -> list[str]:
    """The addresses of issues that a browser may follow."""
    return [link for issue in known.issues or [known.upstream] if (link := text.link(issue))]


def _chapter(row: MatrixBehaviour) -> dict[str, object]:
    """The place of a claim among the others, and other names by which it is searched."""
    place = {"chapter": row.chapter, "group": row.group, "title": row.chapter_title}
    return {**place, "was": row.was, "aliases": row.aliases}


def _outcomes(row: TableRow, strings: Numbers) -> dict[str, object]:
    """A letter per column for its verdict; everything else by column number, where there is something."""
    ran = {str(column): cell for column, cell in enumerate(row.cells) if cell is not None}
    return {
        "cells": "".join(_NOT_RUN if cell is None else _LETTERS[cell.verdict] for cell in row.cells),
        "said": [0 if cell is None else strings[cell.message] for cell in row.cells],
        # In tenths of a millisecond: further digits are noise, which does not deflate.
        "took": [0 if cell is None else round(cell.duration_s * 1e3, 1) for cell in row.cells],
        "conventions": {at: strings[cell.convention] for at, cell in ran.items() if cell.convention},
        "known": {at: known_fields(cell.known, strings) for at, cell in ran.items() if cell.known},
    }


def _old(row: TableRow, changes: Changes, strings: Numbers) -> dict[str, list[int]]:
    """Verdict and convention in an earlier matrix, where they changed."""
    places = ((str(column), (row.behaviour.id, cell.engine)) for column, cell in enumerate(row.cells) if cell)
    old = {column: changes[place] for column, place in places if place in changes}
    return {at: [int(_LETTERS[seen.verdict]), strings[seen.convention or ""]] for at, seen in old.items()}


def programs(rows: list[TableRow]) -> str:
    """The block of checks and native scripts. A program is a list of numbers of paragraphs."""
    paragraphs = numbered()

    def numbers(source: str) -> list[int]:
        return [paragraphs[part] for part in source.strip("\n").split("\n\n")] if source else []

    whole = {
        "checks": [numbers(row.behaviour.check) for row in rows],
        "scripts": [[numbers(cell.script) if cell else [] for cell in row.cells] for row in rows],
        # Cleaned once each: a script's own words are few among hundreds of lines that others have too.
        "paragraphs": [text.clean(part) for part in paragraphs],
    }
    return packed(whole)


def packed(whole: Any) -> str:
    """A block: JSON, deflated, in base64.

    Letters, digits and three marks: nothing that could end the script element around them.
    """
    plain = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    # Without zlib's header: what browsers call "deflate-raw". Level 9 takes three times as long, and saves 4 %.
    deflating = zlib.compressobj(7, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return base64.b64encode(deflating.compress(plain) + deflating.flush()).decode()
