"""The table of bugs: what is written of each in bugs.toml, and the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance.sources import tomllib
from workshop.bugs.fixed_bugs import FIXED_BUGS
from workshop.programs.bugs import BUGS, Combination

HEAD = """# Bugs and cells

<!-- Written by `python -m workshop refresh` from `workshop/bugs/`. -->

Real bugs of PyTorch and JAX, from a catalogue of upstream issues and of our own sweeps: which cell of a behaviour or
of the laws on [operations](../operations.md) shows each, or which [generated program](../programs.md), and why none
does. `python -m workshop bugs --run` runs each, and the program of the catalogue, where the engine is installed, and
prints whether both see the bug.
"""
FIXED = """
## Fixed bugs of single operations

Each is brought back as a mutant: a rule of the reference engine, or an operation of an adapter, as the bug had it. The
cell passes without it and fails with it (`tests/test_bugs.py`).
"""


@dataclass(frozen=True)
class Bug:
    """A bug: the cell of an engine that shows it with a pattern of its message, a program, or why there is neither."""

    id: str
    title: str
    issue: str = ""
    fixed: bool = False
    engine: str = ""
    cell: str = ""
    message: str = ""
    program: Combination | None = None
    reason: str = ""

    @property
    def shown(self) -> str:
        """The cell or program that shows it; empty if nothing does."""
        if self.program:
            return f"program {self.program.kind} {self.program.seed} on {self.engine}, by `{self.program.oracle}`"
        return f"`{self.cell}` on {self.engine}" if self.cell else ""

    def is_shown_by(self, message: str) -> bool:
        """Whether the message of its cell is about this bug."""
        # The cell may fail for another bug: only its message distinguishes them.
        return bool(message) and re.search(self.message, message) is not None


@cache
def table() -> dict[str, Bug]:
    """The bugs by their ids in the catalogue; a fixed one has the cell and the engine of its mutant.

    The programs are those of `workshop/programs/bugs.toml`.
    """
    # Those with an oracle are present; the fixed ones have a mutant, whose cell is in FIXED_BUGS.
    programs = {bug.id: bug for bug in BUGS if bug.oracle}
    written = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text("utf-8"))
    bugs: dict[str, Bug] = {}
    entry: dict[str, Any]
    for name, entry in written.items():
        fixed = FIXED_BUGS.get(name)
        if fixed:
            entry |= {"cell": fixed.cell, "engine": fixed.engine}
        # A cell is preferred: it is smaller than a program.
        elif name in programs and "cell" not in entry:
            entry |= {"program": programs[name], "engine": programs[name].engine}
        bugs[name] = Bug(id=name, **entry)
    return bugs


def page() -> str:
    """The table as Markdown."""
    present, fixed = ([bug for bug in table().values() if bug.fixed is kind] for kind in (False, True))
    lines = [
        HEAD,
        f"## Bugs that are present\n\n{_count(present)} are shown.\n",
        *_rows(present, "shown by"),
        f"{FIXED}{_count(fixed)} would be shown.\n",
        *_rows(fixed, "would be shown by"),
    ]
    return "\n".join(lines) + "\n"


def _count(bugs: Iterable[Bug]) -> str:
    every = list(bugs)
    return f"{sum(bool(bug.shown) for bug in every)} of {len(every)}"


def _rows(bugs: Iterable[Bug], heading: str) -> Iterator[str]:
    yield f"| bug | {heading} |"
    yield "|---|---|"
    for bug in bugs:
        # An issue without a number is named in words, and has no page.
        repository, _, number = bug.issue.partition("#")
        link = f" ([{bug.issue}](https://github.com/{repository}/issues/{number}))" if number else ""
        shown_by = bug.shown or f"none: {bug.reason}"
        yield f"| {bug.title.replace('|', chr(92) + '|')}{link} | {shown_by} |"
