"""`python -m reports.annotations MATRIX`: what is unexpected, as lines that GitHub shows beside a workflow's run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from reports.matrix import load
from reports.model import Matrix
from reports.text import clip
from reports.unexpected import stale, unexpected

# GitHub shows ten per step, and keeps no more.
_LIMIT = 10


def annotated(matrix: Matrix) -> Iterator[str]:
    """A line per cell or stale entry, at most ten. Texts of engines cannot begin another command."""
    problems = [
        (f"{cell.verdict.value} on {cell.engine}: {cell.behaviour}", cell.message) for cell in unexpected(matrix)
    ]
    problems += [(f"stale known failure of {column}", line) for column, line in stale(matrix)]
    for title, message in problems[:_LIMIT]:
        yield f"::error title={_escaped(title, ',:')}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    shown = clip(text, 300)
    # The sign that begins an escape comes first: those of the others must stay.
    for letter in "%\r\n" + more:
        shown = shown.replace(letter, f"%{ord(letter):02X}")
    return shown


if __name__ == "__main__":
    print("\n".join(annotated(load(Path(sys.argv[1])))))
