"""Causes of known failures: what is wrong in an engine, told once for all the cells in which it shows."""

from __future__ import annotations

import datetime
import enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["Cause", "CauseClass", "causes_in", "installed_version", "script_of"]


# The distributions of engines whose files are not called as they are.
DISTRIBUTIONS = {"hips_autograd": "autograd"}


class CauseClass(enum.Enum):
    """The class of a cause, the most harmful first."""

    SILENT = "silent wrong value"
    BUG = "engine bug"
    DOCUMENTATION = "documentation"
    LIMITATION = "documented limitation"
    CONVENTION = "convention"


class Cause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """One cause.

    `searched` are queries in the engine's tracker, made on `searched_on`; `live_in` the versions in which the cause
    was seen, `fixed_in` the first version tried without it. `versions` and `review_after` are those of its entries.
    """

    title: str
    kind: CauseClass
    reason: str
    issues: list[str] = []
    searched: list[str] = []
    searched_on: datetime.date | None = None
    live_in: list[str] = []
    fixed_in: str = ""
    versions: str = ""
    review_after: datetime.date | None = None

    def defaults(self) -> dict[str, Any]:
        """What an entry has from its cause, unless it says otherwise."""
        fixed = f" Fixed in {self.fixed_in}." if self.fixed_in else ""
        return {
            "reason": self.reason + fixed,
            "upstream": self.issues[0] if self.issues else "",
            "versions": self.versions,
            "review_after": self.review_after or "",
        }


def causes_in(table: dict[str, Any]) -> dict[str, Cause]:
    """The [cause.NAME] tables of a file, by name. Raises ValueError, which names the cause."""
    found = {}
    tables = table.get("cause", {})
    if not isinstance(tables, dict):
        raise ValueError("expected [cause.NAME] tables")
    for name, its in tables.items():
        try:
            found[name] = msgspec.convert(its, Cause)
        except msgspec.ValidationError as error:
            raise ValueError(f"cause {name}: {error}") from None
    return found


def script_of(file: Path, cause: str) -> Path:
    """The native program that shows a cause of the file: it fails while the cause is there. It need not exist."""
    return file.parent / "scripts" / f"{cause}.py"


def installed_version(engine: str) -> str:
    """The version of the engine of a file, such as torch; empty if it is not installed."""
    try:
        return version(DISTRIBUTIONS.get(engine, engine))
    except PackageNotFoundError:
        return ""
