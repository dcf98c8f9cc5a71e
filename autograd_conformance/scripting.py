"""The script of a cell, derived where its engine is: in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from autograd_conformance.selection import cells_of, suite
from conformance.collecting import CHAPTERS
from conformance.engines import parse

__all__ = ["ScriptError", "script"]


class ScriptError(Exception):
    """A script cannot be shown; the message says of what, and why."""


def script(word: str, engine: str, chapters: Path | None) -> str:
    """The script of the one cell that is meant. Raises ScriptError, EngineError or SelectionError."""
    parse(engine)
    cells = cells_of([word], suite(chapters))
    if len(cells) > 1:
        named = ", ".join(cells[:3]) + (", ..." if len(cells) > 3 else "")
        raise ScriptError(f"{word!r} names {len(cells)} cells, and a script is of one: give one of {named}")
    folder = str((chapters or CHAPTERS).resolve())
    command = [sys.executable, "-m", "conformance.scripts", "show", engine, cells[0], "--chapters", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or [f"the process ended with status {done.returncode}"]
        raise ScriptError(f"{cells[0]} on {engine}: no script: {said[0]}")
    return done.stdout
