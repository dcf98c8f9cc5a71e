"""The table of bugs: the facts of each in bugs.toml, and the page that shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance.sources import tomllib
from workshop.bugs.fixed_bugs import FIXED_BUGS

HEAD = """# Real bugs

<!-- Written by `python -m workshop findings` from `workshop/bugs/`. -->

Real bugs of PyTorch, JAX and their like, from a catalogue of upstream issues and of our own sweeps: the cell of a
behaviour or of the laws on [operations](../operations.md) that shows each, or the [generated program](../programs.md),
or why nothing does.
"""
PRESENT = """`python -m workshop bugs --run` runs what shows each, where the engine is installed. A cell fails while the
bug is there, or passes where it states the bug, as the documentation does."""
FIXED = """Each is brought back as a mutant: a rule of the reference engine, an operation or verb of an adapter, as the
bug had it. The cell passes without it and fails with it (`tests/test_bugs.py`); the program is the first that kills it
(`python -m workshop programs mutants`)."""


@dataclass(frozen=True)
class BugProgram:
    """The generated program that shows a bug: of a present one with the oracle that sees it, else with a mutant."""

    engine: str
    kind: str
    seed: int
    oracle: str = ""
    mutant: str = ""

    def __str__(self) -> str:
        seen = f"by `{self.oracle}`" if self.oracle else f"mutant `{self.mutant}`"
        return f"program {self.kind} {self.seed} on {self.engine}, {seen}"


@dataclass(frozen=True)
class Bug:
    """A bug: the cell of an engine that shows it with a pattern of its message, a program, or why there is neither.

    A cell that is `stated` is the statement of the bug itself: it passes while the bug is there.
    """

    id: str
    title: str
    issue: str = ""
    fixed: bool = False
    engine: str = ""
    cell: str = ""
    message: str = ""
    stated: bool = False
    program: BugProgram | None = None
    reason: str = ""

    @property
    def shown(self) -> str:
        """The cell and the program that show it; empty if nothing does."""
        how = ", which states it" if self.stated else ""
        cell = f"`{self.cell}` on {self.engine}{how}" if self.cell else ""
        return "; ".join(filter(None, (cell, str(self.program or ""))))

    def is_shown_by(self, message: str) -> bool:
        """Whether the message of its cell is about this bug."""
        # The cell may fail for another bug: only its message distinguishes them.
        return bool(message) and re.search(self.message, message) is not None


@cache
def table() -> dict[str, Bug]:
    """The bugs by their ids; a fixed one of a single operation has the cell and the engine of its mutant."""
    rows = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text("utf-8"))
    return {name: _bug(name, row) for name, row in rows.items()}


def _bug(name: str, row: dict[str, Any]) -> Bug:
    # From the mutant, which has to name its cell for the tests: in the file it could be another.
    if fixed := FIXED_BUGS.get(name):
        row |= {"cell": fixed.cell, "engine": fixed.engine}
    if program := row.get("program"):
        row["program"] = BugProgram(**program)
    return Bug(id=name, **row)


def page() -> str:
    """The table as Markdown."""
    present, fixed = ([bug for bug in table().values() if bug.fixed is kind] for kind in (False, True))
    return "\n".join([HEAD, *_section("Present", PRESENT, present), *_section("Fixed", FIXED, fixed)])


def _section(title: str, text: str, bugs: Iterable[Bug]) -> Iterator[str]:
    bugs = list(bugs)
    yield f"## {title}\n\n{text}\n{sum(bool(bug.shown) for bug in bugs)} of {len(bugs)} are shown.\n"
    yield "| bug | shown by |\n|---|---|"
    for bug in bugs:
        # An issue without a number is named in words, and has no page.
        repository, _, number = bug.issue.partition("#")
        link = f" ([{bug.issue}](https://github.com/{repository}/issues/{number}))" if number else ""
        yield f"| {bug.title.replace('|', chr(92) + '|')}{link} | {bug.shown or f'none: {bug.reason}'} |"
    yield ""
