"""What is foreseen of each engine: one TOML file per engine, and how it is held against the cells.

An entry never changes a published verdict. It is strict both ways: a cell that is not as foreseen makes its entry
stale, and so does an entry for which there is no cell.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from conformance.results import KnownRecord
from conformance.sources import tomllib
from conformance.verdicts import Outcome, Verdict

__all__ = ["ExpectationError", "Known", "foreseen", "load", "stale"]

FORESEEABLE = (Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)
KEYS = {"behaviour", "verdict", "message", "versions", "reason", "upstream", "review_after"}


class ExpectationError(Exception):
    """An expectations file cannot be used; the message names file, entry and what to do."""


@dataclass(frozen=True)
class Known:
    """One foreseen cell. `message` is a regular expression that the cell's message must contain."""

    behaviour: str
    verdict: Verdict
    message: str
    reason: str
    versions: str = ""
    upstream: str = ""
    review_after: str = ""

    def concerns(self, cell: str) -> bool:
        """Whether the entry is about this cell: by its id, or by that of the behaviour for all its cases."""
        return self.behaviour in (cell, cell.partition("[")[0])

    def holds(self, outcome: Outcome) -> bool:
        """Whether the cell came out as foreseen."""
        return outcome.verdict is self.verdict and re.search(self.message, outcome.message) is not None

    def record(self) -> KnownRecord:
        """What of the entry is published beside the cell."""
        return KnownRecord(self.reason, self.upstream, self.review_after)


def load(path: Path, version: str) -> list[Known]:
    """The entries that concern this version of the engine; none if there is no such file."""
    if not path.exists():
        return []
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExpectationError(f"{path}: is not TOML: {error}") from None
    entries = table.get("known", [])
    if set(table) - {"known"} or not isinstance(entries, list):
        raise ExpectationError(f"{path}: expected [[known]] tables and nothing else, got {sorted(table)}")
    known = [_entry(path, number, entry) for number, entry in enumerate(entries, 1)]
    return [entry for entry in known if SpecifierSet(entry.versions).contains(version, prereleases=True)]


def _entry(path: Path, number: int, table: Any) -> Known:
    where = f"{path}: entry {number}"
    if (
        not isinstance(table, dict)
        or set(table) - KEYS
        or not {"behaviour", "verdict", "message", "reason"} <= set(table)
    ):
        raise ExpectationError(
            f"{where}: needs behaviour, verdict, message, reason; may have versions, upstream, review_after"
        )
    texts = {key: value.isoformat() if isinstance(value, datetime.date) else value for key, value in table.items()}
    if not all(isinstance(value, str) for value in texts.values()):
        raise ExpectationError(f"{where} ({texts['behaviour']}): every value is a string, review_after may be a date")
    try:
        re.compile(texts["message"])
        SpecifierSet(texts.get("versions", ""))
        verdict = Verdict(texts.pop("verdict"))
    except (re.error, InvalidSpecifier, ValueError) as error:
        raise ExpectationError(f"{where} ({texts['behaviour']}): {error}") from None
    if verdict not in FORESEEABLE:
        raise ExpectationError(f"{where} ({texts['behaviour']}): {verdict.value} cannot be foreseen: mend it instead")
    return Known(verdict=verdict, **texts)


def foreseen(entries: list[Known], cell: str, outcome: Outcome) -> KnownRecord | None:
    """What is published beside a cell that came out as an entry foresaw."""
    return next((entry.record() for entry in entries if entry.concerns(cell) and entry.holds(outcome)), None)


def stale(entries: Iterable[Known], outcomes: dict[str, Outcome], complete: bool) -> list[str]:
    """What did not come true. Entries without a cell count only where all cells of the suite were run."""
    return [problem for entry in entries if (problem := _stale(entry, outcomes, complete))]


def _stale(entry: Known, outcomes: dict[str, Outcome], complete: bool) -> str:
    concerned = {cell: outcome for cell, outcome in outcomes.items() if entry.concerns(cell)}
    if not concerned:
        return f"{entry.behaviour}: no such behaviour; remove the entry" if complete else ""
    if any(entry.holds(outcome) for outcome in concerned.values()):
        return ""
    cell, outcome = next(iter(concerned.items()))
    got = f"{outcome.verdict.value} ({outcome.message})" if outcome.message else outcome.verdict.value
    return f"{cell}: foreseen {entry.verdict.value} with a message like {entry.message!r}, got {got}; mend the entry"
