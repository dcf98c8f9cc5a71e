"""The accounts: for every binding statement of a documentation the behaviours that carry it, or the reason for none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from conformance.behaviour import Behaviour

__all__ = ["FOLDER", "Entry", "cells", "chapter_of", "load", "load_all", "parse"]

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
    status: str
    behaviours: tuple[str, ...] = ()
    both: bool = False
    alone: str = ""
    since: str = ""
    reason: str = ""
    note: str = ""


def parse(account: str, text: str) -> tuple[Entry, ...]:
    """The entries of one account, in the order of its text. Raises TypeError for a field that no entry has."""
    return tuple(
        Entry(account, **{**item, "behaviours": tuple(item.get("behaviours", ()))}) for item in yaml.safe_load(text)
    )


def load(path: Path) -> tuple[Entry, ...]:
    """The entries of the account in one file, which gives it its name."""
    return parse(path.stem, path.read_text("utf-8"))


def load_all() -> tuple[Entry, ...]:
    """The entries of all accounts."""
    return tuple(entry for path in sorted(FOLDER.glob("*.yaml")) for entry in load(path))


def cells(behaviours: Iterable[Behaviour]) -> set[str]:
    """Everything that an entry may name: the behaviours, and each of their cases."""
    return {name for behaviour in behaviours for name in (behaviour.id, *behaviour.ids())}


def chapter_of(behaviour: str) -> str:
    """The chapter that a behaviour's id, or a case of it, begins with."""
    return behaviour.partition(".")[0]
