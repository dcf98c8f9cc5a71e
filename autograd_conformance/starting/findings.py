"""What a smoke test finds, as it travels from the engine's process to the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

__all__ = ["Account", "Begun", "Finding", "GroupCount", "NextVerb", "Odd", "SmokeRecord", "Task"]


class Odd(Exception):
    """An adapter gives something else than it should: what was got, what was expected, and what to do."""

    def __init__(self, got: str, expected: str, todo: str) -> None:
        super().__init__(f"got {got}, expected {expected}; {todo}")
        self.got, self.expected, self.todo = got, expected, todo


@dataclass(frozen=True)
class Task:
    """A question to an adapter, asked where all verbs that it needs are written. `ask` raises Odd, or anything."""

    name: str
    needs: tuple[str, ...]
    ask: Callable[[Any], None]
    todo: str


class Begun(msgspec.Struct, tag="begun"):
    """A question is put. It is what is last heard of an engine that dies of it."""

    name: str


class Finding(msgspec.Struct, tag="finding"):
    """The answer to a question: a problem has all three of what was got, what was expected, and what to do."""

    name: str
    ok: bool
    got: str = ""
    expected: str = ""
    todo: str = ""


class GroupCount(msgspec.Struct):
    """How many verbs of a group are written, declared absent, and there in all; the names of those that are neither."""

    group: str
    written: int
    absent: int
    verbs: int
    missing: list[str]


class NextVerb(msgspec.Struct):
    """A verb that is not written, and how many cells it alone would bring within reach."""

    verb: str
    cells: int


class Account(msgspec.Struct, tag="account"):
    """How far an adapter has come. A cell is within reach if every verb that it touches is written or absent."""

    engine: str
    version: str
    groups: list[GroupCount]
    reach: int
    cells: int
    following: list[NextVerb]


class SmokeRecord(msgspec.Struct):
    """What was heard of an engine. `account` is missing where it did not live to the end."""

    findings: list[Finding]
    account: Account | None = None

    @property
    def problems(self) -> list[Finding]:
        """What is to be mended."""
        return [one for one in self.findings if not one.ok]
