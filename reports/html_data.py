"""What the page's script knows of the matrix and the table need not show, in two blocks: JSON, deflated, in base64.

Texts that recur (messages, citations, reasons) stand once and are referred to by number. Programs (checks, and the
native script of each cell) share most of their paragraphs, so those are numbered too. They are a block of their own,
which is inflated when somebody asks for one: a thousand behaviours on forty engines have tens of megabytes of scripts.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from conformance.mutants import killed_by
from reports import text
from reports.model import Behaviour, Cell, Citation, Engine, Matrix
from reports.view import LEGEND, Row, reason
from reports.view_changes import Changes

__all__ = ["data", "programs"]

Item = TypeVar("Item", bound=Hashable)

_LETTERS = {verdict: str(number) for number, verdict in enumerate(LEGEND)}
_NOT_RUN = "-"

# How many of the mutants that a behaviour notices the page names.
_MUTANTS = 5


class _Numbered(Generic[Item]):
    """Different items in the order in which they were met, each with its number."""

    def __init__(self, *items: Item) -> None:
        self.numbers: dict[Item, int] = {}
        for item in items:
            self.number(item)

    def number(self, item: Item) -> int:
        """The number of an item, a new one if it was not met before."""
        return self.numbers.setdefault(item, len(self.numbers))

    def listed(self) -> list[Item]:
        """The items by number."""
        return list(self.numbers)


def data(matrix: Matrix, found: list[Row], changes: Changes) -> str:
    """The block of rows, columns and texts, which the script reads when it starts."""
    # Number 0 is the empty text: no message.
    strings, citations = _Numbered(""), _Numbered[tuple[Any, ...]]()
    mutants = _Numbered[str]()
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
            for row in found
        ],
    }
    tables = {"strings": strings.listed(), "citations": citations.listed(), "mutants": mutants.listed()}
    return _packed(_cleaned({**whole, **tables}))


def _cleaned(part: Any) -> Any:
    # Everything that the script shows passes here, so no text can be forgotten.
    if isinstance(part, str):
        return text.clip(part)
    if isinstance(part, dict):
        return {key: _cleaned(value) for key, value in part.items() if value not in ([], {}, None, "")}
    return [_cleaned(item) for item in part] if isinstance(part, (list, tuple)) else part


def _engine(engine: Engine) -> dict[str, Any]:
    told = {"column": engine.column, "spec": engine.spec, "name": engine.name, "version": engine.version}
    return {**told, "sources": list(engine.sources)}


def _claim(behaviour: Behaviour, citations: _Numbered[tuple[Any, ...]]) -> dict[str, Any]:
    return {
        "id": behaviour.id,
        "chapter": behaviour.chapter,
        "level": behaviour.level,
        "statement": behaviour.statement,
        "cited": [citations.number(_citation(cited)) for cited in behaviour.citations],
        "was": behaviour.was,
    }


def _citation(cited: Citation) -> tuple[Any, ...]:
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
    )


def _outcomes(row: Row, strings: _Numbered[str]) -> dict[str, Any]:
    """A letter per column for its verdict; of the rest, what there is: by the number of the column."""
    ran = {str(column): cell for column, cell in enumerate(row.cells) if cell is not None}
    return {
        "cells": "".join(_NOT_RUN if cell is None else _LETTERS[cell.verdict] for cell in row.cells),
        "said": [0 if cell is None else strings.number(cell.message) for cell in row.cells],
        "took": [0 if cell is None else round(cell.duration_s * 1e3, 1) for cell in row.cells],
        "conventions": {at: strings.number(cell.convention) for at, cell in ran.items() if cell.convention},
        "known": {at: _known(cell, strings) for at, cell in ran.items() if cell.known},
    }


def _known(cell: Cell, strings: _Numbered[str]) -> list[int]:
    assert cell.known
    upstream = cell.known.upstream
    shown = [cell.known.reason, upstream, text.link(upstream) or "", cell.known.review_after]
    return [strings.number(said) for said in shown]


def _old(row: Row, changes: Changes, strings: _Numbered[str]) -> dict[str, list[Any]]:
    """What an earlier matrix had, where it reads otherwise now."""
    found = {
        str(column): changes[row.behaviour.id, cell.engine]
        for column, cell in enumerate(row.cells)
        if cell is not None and (row.behaviour.id, cell.engine) in changes
    }
    return {at: [int(_LETTERS[cell.verdict]), strings.number(cell.convention or "")] for at, cell in found.items()}


def programs(found: list[Row]) -> str:
    """The block of checks and native scripts. A program is a list of numbers of paragraphs."""
    paragraphs = _Numbered[str]()

    def numbers(source: str) -> list[int]:
        return [paragraphs.number(part) for part in source.strip("\n").split("\n\n")] if source else []

    whole = {
        "checks": [numbers(row.behaviour.check) for row in found],
        "scripts": [[numbers(cell.script) if cell else [] for cell in row.cells] for row in found],
        # Cleaned once each: a script's own words are few among hundreds of lines that others have too.
        "paragraphs": [text.clean(part) for part in paragraphs.listed()],
    }
    return _packed(whole)


def _packed(whole: Any) -> str:
    """Letters, digits and three marks: nothing that could end the element in which they stand."""
    plain = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    # Without a header of zlib's, which is what browsers call "deflate-raw". Level 9 takes thrice the time for 4 % less.
    deflating = zlib.compressobj(7, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return base64.b64encode(deflating.compress(plain) + deflating.flush()).decode()
