"""The accounts: for every statement of a documentation what carries it in the suite, or the reason for nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
CARRIERS = ("behaviours", "laws", "programs")


@dataclass(frozen=True)
class Entry:
    """One statement, in our own words, with what carries it.

    `laws` are laws on operations, `law[operation]` where one operation has the point; `programs` are oracles and forms
    of generated programs. `reason`: why nothing carries it; of a binding statement one of few, of others in words.
    `both`: tape and functional model say it, and a behaviour runs on both; `alone`: why a statement that both models
    might make runs on one only; `since`: the version that the statement is from, if not from all.
    """

    account: str
    id: str
    claim: str
    level: str = "must"
    behaviours: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    both: bool = False
    alone: str = ""
    since: str = ""
    reason: str = ""
    note: str = ""

    @property
    def carried_by(self) -> str:
        """The first of `CARRIERS` that it has; empty where it is left out."""
        return next((carrier for carrier in CARRIERS if getattr(self, carrier)), "")


def load(path: Path) -> tuple[Entry, ...]:
    """The entries of one file, which gives the account its name. Raises TypeError for a field that no entry has."""
    found = yaml.safe_load(path.read_text("utf-8"))
    listed = [{**entry, **{carrier: tuple(entry.get(carrier, ())) for carrier in CARRIERS}} for entry in found]
    return tuple(Entry(path.stem, **entry) for entry in listed)


def load_all() -> tuple[Entry, ...]:
    """The entries of all accounts."""
    return tuple(entry for path in sorted(FOLDER.glob("*.yaml")) for entry in load(path))
