"""Messages of an adapter's check, from the engine's process to the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

# The first question: the names of all others, which depend on the adapter.
QUESTIONS = "questions"


class CheckFailure(Exception):
    """An adapter returns a wrong value; `todo` is what to do, where that of the question is too vague."""

    def __init__(self, got: str, expected: str, todo: str = "") -> None:
        super().__init__(f"got {got}, expected {expected}")
        self.got, self.expected, self.todo = got, expected, todo


@dataclass(frozen=True)
class AdapterQuestion:
    """A question to an adapter that has the verbs `needs`. `ask` raises, or returns a remark (usually empty)."""

    name: str
    needs: tuple[str, ...]
    ask: Callable[[Any], str | None]
    todo: str


class Finding(msgspec.Struct, tag="finding"):
    """The answer to a question: a problem has `got`, `expected` and `todo`."""

    name: str
    ok: bool
    got: str = ""
    expected: str = ""
    todo: str = ""
    note: str = ""


class Reach(msgspec.Struct, tag="reach"):
    """The reach of an adapter. A cell is within reach if every verb that it touches is written or absent.

    `following` are the verbs to write next, each with the number of cells that it alone would bring within reach.
    """

    engine: str
    version: str
    written: int
    absent: int
    verbs: int
    reach: int
    cells: int
    following: dict[str, int]


class AdapterCheckRecord(msgspec.Struct):
    """The answers of an engine. Without `reach`, its process ended on the way."""

    findings: list[Finding]
    reach: Reach | None = None

    @property
    def problems(self) -> list[Finding]:
        """The findings that need a change of the adapter."""
        return [finding for finding in self.findings if not finding.ok]


class SkeletonRecord(msgspec.Struct):
    """The files of a new adapter and their folder; its name for `--engine` there; whether its engine is installed."""

    folder: str
    engine: str
    module: str
    installed: bool
    files: list[str]
