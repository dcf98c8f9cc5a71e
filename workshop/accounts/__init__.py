"""The accounts: for every binding statement of a documentation the behaviours that carry it, or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

__all__ = ["FOLDER", "Entry", "load", "load_all"]

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """One statement, in our own words, with what carries it.

    `both`: tape and functional model say it, and a behaviour runs on both; `alone`: why a statement that both models
    might make runs on one only; `since`: the version that the statement is from, if not from all.
    """

    account: str
    id: str
    claim: str
    behaviours: tuple[str, ...] = ()
    both: bool = False
    alone: str = ""
    since: str = ""
    reason: str = ""
    note: str = ""


def load(path: Path) -> tuple[Entry, ...]:
    """The entries of one file, which gives the account its name. Raises TypeError for a field that no entry has."""
    found = yaml.safe_load(path.read_text("utf-8"))
    return tuple(Entry(path.stem, **{**entry, "behaviours": tuple(entry.get("behaviours", ()))}) for entry in found)


def load_all() -> tuple[Entry, ...]:
    """The entries of all accounts."""
    return tuple(entry for path in sorted(FOLDER.glob("*.yaml")) for entry in load(path))
