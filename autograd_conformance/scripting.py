"""Scripts, derived where their engine is: in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conformance.collecting import CHAPTERS
from conformance.messages import printable
from reports.scripts import scripts_file

__all__ = ["derive_scripts", "show_script"]


def show_script(cell: str, engine: str, chapters: Path | None) -> tuple[str, str]:
    """The script of a cell, or the reason why there is none."""
    done = _run(chapters, "show", engine, cell)
    if done.returncode < 0:  # the engine ended the process, as it did in the run
        done = _run(chapters, "show", engine, cell, "--crashed")
    return (done.stdout, "") if done.returncode == 0 else ("", _reason(done))


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
