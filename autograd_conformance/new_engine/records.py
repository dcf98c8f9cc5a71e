"""What an adapter's check finds, as it travels from the engine's process to the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

__all__ = ["AdapterCheckRecord", "AdapterQuestion", "CheckFailure", "Finding", "Reach", "SkeletonRecord", "Unloadable"]


class CheckFailure(Exception):
    """An adapter gives something else than it should; `todo` is what to do, where the question says it too vaguely."""

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


class Unloadable(msgspec.Struct, tag="unloadable"):
    """There is no adapter to ask, and why."""

    message: str


class Finding(msgspec.Struct, tag="finding"):
    """The answer to a question: a problem has `got`, `expected` and `todo`. One without `got` is being asked."""

    name: str
    ok: bool
    got: str = ""
    expected: str = ""
    todo: str = ""
    note: str = ""


class Reach(msgspec.Struct, tag="reach"):
    """How far an adapter has come. A cell is within reach if every verb that it touches is written or absent.

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
    """What was heard of an engine. `reach` is missing where its process died on the way."""

    findings: list[Finding]
    reach: Reach | None = None

    @property
    def problems(self) -> list[Finding]:
        """What is to be mended."""
        return [one for one in self.findings if not one.ok]


class SkeletonRecord(msgspec.Struct):
    """What was written where; the adapter as `--engine` takes it in that folder; whether its engine is installed."""

    folder: str
    engine: str
    module: str
    installed: bool
    files: list[str]
