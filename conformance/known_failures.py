"""Known failures: one TOML file per engine, and how its entries are matched with the cells of a run.

An entry never changes a published verdict. It is strict, as pytest's strict xfail: an entry is stale if its cell has
another outcome, or does not exist. The reason is written by a person, in the entry or in the cause that it names: a
draft, as `autograd-conformance known` makes them, raises KnownFailureError until it has one.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from conformance.known_causes import Cause, causes_in
from conformance.results import KnownRecord
from conformance.sources import tomllib
from conformance.verdicts import Outcome, Verdict

__all__ = [
    "DRAFT",
    "LISTABLE",
    "KnownFailure",
    "KnownFailureError",
    "causes_of",
    "file_for",
    "file_of",
    "find",
    "load",
    "read",
    "shared_file",
    "stale",
]

# Not `error`, a fault of adapter or suite; absent and unsupported have their reasons already.
LISTABLE = (Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)
KEYS = {"behaviour", "verdict", "message", "cause", "versions", "reason", "upstream", "review_after"}
NEEDED = {"behaviour", "verdict", "message"}
TABLES = {"known", "cause", "causes"}
# How the reason of a draft begins: a file with drafts can be edited, but not used by a run.
DRAFT = "TODO"


class KnownFailureError(Exception):
    """A file of known failures cannot be used; the message names file, entry and what to do."""


@dataclass(frozen=True)
class KnownFailure:
    """One entry: a listed cell, or several. A `*` in `behaviour` matches any letters.

    `message` is a regular expression, searched for in the cell's message. `versions` (PEP 440 specifiers, empty: all)
    are those of the engine to which the entry applies. Runs later than `review_after` (ISO 8601) ask for a review.
    Where the entry names a `cause`, which is then `told`, what it leaves out is the cause's.
    """

    behaviour: str
    verdict: Verdict
    message: str
    reason: str
    versions: str = ""
    upstream: str = ""
    review_after: str = ""
    cause: str = ""
    told: Cause | None = None

    def concerns(self, cell: str) -> bool:
        """Whether the entry is about this cell: by its id, or by that of the behaviour for all its cases."""
        return any(self._pattern.fullmatch(name) for name in (cell, cell.partition("[")[0]))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # Not fnmatch, to which the brackets of a case would be a set of letters.
        return re.compile(".*".join(map(re.escape, self.behaviour.split("*"))))

    def applies_to(self, version: str) -> bool:
        """Whether the entry applies to this version of the engine. Raises InvalidVersion unless it is one (PEP 440)."""
        return not self.versions or SpecifierSet(self.versions).contains(
            Version(version), prereleases=True
        )  # nightly builds count

    def holds(self, outcome: Outcome) -> bool:
        """Whether the cell came out as listed."""
        return outcome.verdict is self.verdict and re.search(self.message, outcome.message) is not None

    def record(self) -> KnownRecord:
        """The part of the entry that is published with the cell."""
        published = KnownRecord(self.reason, self.upstream, self.review_after)
        if self.told is None:
            return published
        title, kind, issues = self.told.title, self.told.kind.value, self.told.issues
        return msgspec.structs.replace(published, cause=self.cause, title=title, kind=kind, issues=issues)

    def stale(self, outcomes: Mapping[str, Outcome], complete: bool) -> str:
        """Why the entry is stale, as a sentence; empty if it is not, or if a partial run cannot tell."""
        concerned = {cell: outcome for cell, outcome in outcomes.items() if self.concerns(cell)}
        if not concerned:
            return f"{self.behaviour}: no such behaviour; remove the entry" if complete else ""
        # One case is enough: an entry for all cases of a behaviour is stale only when none of them is as listed.
        if any(self.holds(outcome) for outcome in concerned.values()):
            return ""
        # Of the cells that a star matches, a partial run may have left out those that are as listed.
        if "*" in self.behaviour and not complete:
            return ""
        cell, outcome = next(iter(concerned.items()))
        got = f"{outcome.verdict.value} ({outcome.message})" if outcome.message else outcome.verdict.value
        wanted = f"known {self.verdict.value} with a message like {self.message!r}"
        return f"{cell}: {wanted}, got {got}; correct the entry"


def file_of(engine: str, part: str = "") -> Path:
    """The suite's own file for an engine, by the adapter's name for it; it need not exist.

    `part` is empty for behaviours, and `operations` for the laws on operations.
    """
    name = "-".join(filter(None, (engine.replace(":", "-"), part)))  # no colon in file names on Windows
    return Path(__file__).parent / "known" / f"{name}.toml"


def file_for(engine: str, brought: str, part: str = "") -> Path:
    """The file that an adapter from outside brings, which must be there (KnownFailureError); else the suite's.

    Of operations, it is the one beside that file whose name ends in `-operations`, and it need not be there.
    """
    if brought and part:
        return Path(brought).with_stem(f"{Path(brought).stem}-{part}")
    if brought and not Path(brought).exists():
        problem = "no such file, but the adapter's `known_failures` names it; create it, empty"
        raise KnownFailureError(f"{brought}: {problem}")
    return Path(brought) if brought else file_of(engine, part)


def load(path: Path, version: str) -> list[KnownFailure]:
    """The entries that concern this version of the engine; none if there is no such file. Raises KnownFailureError."""
    entries = read(path) if path.exists() else []
    try:
        return [entry for entry in entries if entry.applies_to(version)]
    except InvalidVersion:
        raise KnownFailureError(
            f"{path}: has entries with a range of versions, but the engine's version is {version!r}, which is not a "
            "version (PEP 440); correct the adapter's `version`, or leave `versions` out"
        ) from None


def read(path: Path, drafts: bool = False) -> list[KnownFailure]:
    """All entries of a file, in its order. Raises KnownFailureError, also for a draft unless `drafts` are allowed."""
    entries = _table(path).get("known", [])
    causes = causes_of(path)
    return [_entry(f"{path}: entry {number}", entry, causes, drafts) for number, entry in enumerate(entries, 1)]


def shared_file(path: Path) -> Path | None:
    """The file beside this one whose causes it uses too, as `causes` names it. Raises KnownFailureError."""
    shared = _table(path).get("causes")
    if not isinstance(shared, str | None):
        raise KnownFailureError(f"{path}: `causes` is the name of one file beside this one")
    return path.parent / shared if shared else None


def causes_of(path: Path) -> dict[str, Cause]:
    """The causes that a file's entries can name: its own, and those that it shares. Raises KnownFailureError."""
    shared = shared_file(path)
    try:
        return (causes_of(shared) if shared else {}) | causes_in(_table(path))
    except ValueError as error:
        raise KnownFailureError(f"{path}: {error}") from None


def _table(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise KnownFailureError(f"{path}: cannot be read: {error.strerror}; give a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnownFailureError(f"{path}: is not TOML: {error}") from None
    if set(table) - TABLES or not isinstance(table.get("known", []), list):
        raise KnownFailureError(f"{path}: expected [[known]] tables and causes, and nothing else, got {sorted(table)}")
    return table


def _entry(where: str, table: Any, causes: Mapping[str, Cause], drafts: bool) -> KnownFailure:
    if not isinstance(table, dict) or set(table) - KEYS or not set(table) >= NEEDED:
        raise KnownFailureError(
            f"{where}: needs behaviour, verdict, message, and a cause or reason; "
            "may have versions, upstream, review_after"
        )
    try:
        return _known(table, causes, drafts)
    except (re.error, InvalidSpecifier, ValueError) as error:
        raise KnownFailureError(f"{where} ({table['behaviour']}): {error}") from None


def _known(table: dict[str, Any], causes: Mapping[str, Cause], drafts: bool) -> KnownFailure:
    """An entry from its table. Raises ValueError, or what an invalid pattern or range raises."""
    name = table.get("cause")
    if name is not None and str(name) not in causes:
        raise ValueError(f"names the cause {name!r}, but there is no [cause.{name}]")
    given = table if name is None else causes[str(name)].defaults() | table
    texts = {key: value.isoformat() if isinstance(value, datetime.date) else value for key, value in given.items()}
    if not all(isinstance(value, str) for value in texts.values()):
        raise ValueError("every value is a string, review_after may be a date")
    re.compile(texts["message"])
    SpecifierSet(texts.get("versions", ""))
    verdict = Verdict(texts.pop("verdict"))
    if verdict not in LISTABLE:
        raise ValueError(f"{verdict.value} cannot be a known failure: repair it instead")
    _check_date(texts.get("review_after", ""))
    reason = texts.setdefault("reason", "").strip()
    if not reason or (reason.startswith(DRAFT) and not drafts):
        raise ValueError(f"has no reason yet (got {reason!r}): write in a sentence why the engine does this")
    return KnownFailure(verdict=verdict, **texts, told=None if name is None else causes[str(name)])


def _check_date(text: str) -> None:
    if text and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise ValueError(f"review_after is {text!r}: expected a date, as 2027-01-31")
    datetime.date.fromisoformat(text or "2000-01-01")


def find(entries: list[KnownFailure], cell: str, outcome: Outcome) -> KnownRecord | None:
    """What is published with a cell that an entry lists with this outcome, else None."""
    return next((entry.record() for entry in entries if entry.concerns(cell) and entry.holds(outcome)), None)


def stale(entries: Iterable[KnownFailure], outcomes: Mapping[str, Outcome], complete: bool) -> list[str]:
    """Why entries are stale. Entries without a cell count only if all cells of the suite were run."""
    return [problem for entry in entries if (problem := entry.stale(outcomes, complete))]
