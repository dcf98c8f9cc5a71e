"""Scripts, derived where their engine is: in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from autograd_conformance.selection import cells_of, suite
from conformance.collecting import CHAPTERS
from conformance.engines import parse
from conformance.messages import printable
from reports.scripts import scripts_file

__all__ = ["ScriptError", "derive_scripts", "script"]


class ScriptError(Exception):
    """A script cannot be shown; the message says of what, and why."""


def script(word: str, engine: str, chapters: Path | None) -> str:
    """The script of the one cell that is meant. Raises ScriptError, EngineError or SelectionError."""
    parse(engine)
    cells = cells_of([word], suite(chapters))
    if len(cells) > 1:
        named = ", ".join(cells[:3]) + (", ..." if len(cells) > 3 else "")
        raise ScriptError(f"{word!r} names {len(cells)} cells, and a script is of one: give one of {named}")
    done = _run(chapters, "show", engine, cells[0])
    if done.returncode < 0:  # the engine ended the process, as it did in the run
        done = _run(chapters, "show", engine, cells[0], "--crashed")
    if done.returncode:
        raise ScriptError(f"{cells[0]} on {engine}: no script: {_reason(done)}")
    return done.stdout


def derive_scripts(results: Path, chapters: Path | None = None) -> str:
    """Bring the scripts beside a results file up to date. Gives the reason where none could be; else it is empty."""
    done = _run(chapters, "derive", str(results), str(scripts_file(results)))
    return _reason(done) if done.returncode else ""


def _run(chapters: Path | None, *task: str) -> subprocess.CompletedProcess[str]:
    folder = str((chapters or CHAPTERS).resolve())
    command = [sys.executable, "-m", "autograd_conformance.scripts_worker", "--chapters", folder, *task]
    return subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines() or [f"the process ended with status {done.returncode}"]
    return printable(lines[-1])
