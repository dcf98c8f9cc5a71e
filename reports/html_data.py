"""The blocks of the matrix for the page's script, beyond the table: JSON, deflated, in base64.

Texts that recur (messages, citations, reasons) are stored once and referred to by number. Programs (checks, and the
native script of each cell) share most of their paragraphs, so those are numbered too. They are a block of their own,
inflated only when a script is opened: a thousand behaviours on forty engines have tens of megabytes of scripts.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from conformance.mutants import killed_by
from conformance.results import CitationRecord
from reports import text
from reports.model import Matrix, MatrixBehaviour, MatrixCell, MatrixEngine
from reports.pairs import cells
from reports.view import LEGEND, TableRow, reason

Item = TypeVar("Item", bound=Hashable)

# (behaviour, column) to the earlier cell.
Changes = dict[tuple[str, str], MatrixCell]

# A row's verdicts are a string, a character per column.
_LETTERS = {verdict: str(number) for number, verdict in enumerate(LEGEND)}
_NOT_RUN = "-"

# The page names at most this number of the mutants that a behaviour kills.
_MUTANTS = 5


class Numbered(Generic[Item]):
    """Distinct items in order of first use, each with its number."""

    def __init__(self, *items: Item) -> None:
        self.numbers: dict[Item, int] = {}
        for item in items:
            self.number(item)

    def number(self, item: Item) -> int:
        """The number of an item, a new number at its first use."""
        return self.numbers.setdefault(item, len(self.numbers))

    def listed(self) -> list[Item]:
        """The items by number."""
        return list(self.numbers)


def changes(matrix: Matrix, earlier: Matrix | None) -> Changes:
    """The earlier cells of those that changed. A cell that a single matrix has is no change of verdict."""
    if earlier is None:
        return {}
    return {
        (new.behaviour, new.engine): old
        for _, _, old, new in cells(earlier, matrix)
        if old and new and (old.verdict, old.convention) != (new.verdict, new.convention)
    }


def data(matrix: Matrix, rows: list[TableRow], changes: Changes) -> str:
    """The block of rows, columns and texts, which the script reads when it starts."""
    # Number 0 is the empty text: no message.
    strings, citations = Numbered(""), Numbered[tuple[str, ...]]()
    mutants = Numbered[str]()
    whole = {
        "suite": [matrix.suite.version, matrix.suite.revision],
        "verdicts": [verdict.value for verdict in LEGEND],
        "engines": [_engine(engine) for engine in matrix.engines],
        "rows": [
            {
                **_claim(row.behaviour, citations),
                **_outcomes(row, strings),
                "old": _old(row, changes, strings),
                "mutants": [mutants.number(mutant) for mutant in killed_by([row.behaviour.id])[:_MUTANTS]],
                "why": reason(row),
            }
            for row in rows
        ],
    }
    tables = {"strings": strings.listed(), "citations": citations.listed(), "mutants": mutants.listed()}
    return packed(_cleaned({**whole, **tables}))


def _cleaned(part: Any) -> Any:
    # Everything that the script shows passes here, so no text can be forgotten.
    if isinstance(part, str):
        return text.clip(part)
    if isinstance(part, dict):
        # Empty fields are left out: data.js puts them back.
        return {key: _cleaned(value) for key, value in part.items() if value not in ([], {}, None, "")}
    return [_cleaned(item) for item in part] if isinstance(part, (list, tuple)) else part


def _engine(engine: MatrixEngine) -> dict[str, object]:
    fields = {"column": engine.column, "spec": engine.spec, "name": engine.name, "version": engine.version}
    return {**fields, "sources": list(engine.sources)}


def _claim(behaviour: MatrixBehaviour, citations: Numbered[tuple[str, ...]]) -> dict[str, object]:
    return {
        "id": behaviour.id,
        "chapter": behaviour.chapter,
        "level": behaviour.level,
        "statement": behaviour.statement,
        "cited": [citations.number(citation_fields(cited)) for cited in behaviour.citations],
        "was": behaviour.was,
        "aliases": behaviour.aliases,
        "group": behaviour.group,
        "title": behaviour.chapter_title,
    }


def citation_fields(cited: CitationRecord) -> tuple[str, ...]:
    """A citation as the page has it."""
    sentences = [f"{sentence.kind}: “{sentence.words} …”" for sentence in cited.evidence]
    # In the order of `citation` in data.js, without names: there are thousands.
    return (
        cited.source,
        cited.page,
        cited.title or cited.page,
        cited.section,
        text.link(cited.address) or "",
        cited.since,
        cited.until,
        cited.raises,
        cited.warns,
        cited.says,
        cited.convention or "",
        ", ".join(sentences),
    )


def _outcomes(row: TableRow, strings: Numbered[str]) -> dict[str, object]:
    """A letter per column for its verdict; everything else by column number, where there is something."""
    ran = {str(column): cell for column, cell in enumerate(row.cells) if cell is not None}
    return {
        "cells": "".join(_NOT_RUN if cell is None else _LETTERS[cell.verdict] for cell in row.cells),
        "said": [0 if cell is None else strings.number(cell.message) for cell in row.cells],
        "took": [0 if cell is None else round(cell.duration_s * 1e3, 1) for cell in row.cells],
        "conventions": {at: strings.number(cell.convention) for at, cell in ran.items() if cell.convention},
        "known": {at: _known(cell, strings) for at, cell in ran.items() if cell.known},
    }


def _known(cell: MatrixCell, strings: Numbered[str]) -> list[int]:
    assert cell.known
    upstream = cell.known.upstream
    shown = [cell.known.reason, upstream, text.link(upstream) or "", cell.known.review_after]
    return [strings.number(string) for string in shown]


def _old(row: TableRow, changes: Changes, strings: Numbered[str]) -> dict[str, list[Any]]:
    """Verdict and convention in an earlier matrix, where they changed."""
    old = {
        str(column): changes[row.behaviour.id, cell.engine]
        for column, cell in enumerate(row.cells)
        if cell is not None and (row.behaviour.id, cell.engine) in changes
    }
    return {at: [int(_LETTERS[cell.verdict]), strings.number(cell.convention or "")] for at, cell in old.items()}


def programs(rows: list[TableRow]) -> str:
    """The block of checks and native scripts. A program is a list of numbers of paragraphs."""
    paragraphs = Numbered[str]()

    def numbers(source: str) -> list[int]:
        return [paragraphs.number(part) for part in source.strip("\n").split("\n\n")] if source else []

    whole = {
        "checks": [numbers(row.behaviour.check) for row in rows],
        "scripts": [[numbers(cell.script) if cell else [] for cell in row.cells] for row in rows],
        # Cleaned once each: a script's own words are few among hundreds of lines that others have too.
        "paragraphs": [text.clean(part) for part in paragraphs.listed()],
    }
    return packed(whole)


def packed(whole: Any) -> str:
    """A block: JSON, deflated, in base64."""
    """Letters, digits and three marks: nothing that could end the script element around them."""
    plain = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    # Without zlib's header: what browsers call "deflate-raw". Level 9 takes three times as long, and saves 4 %.
    deflating = zlib.compressobj(7, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return base64.b64encode(deflating.compress(plain) + deflating.flush()).decode()
