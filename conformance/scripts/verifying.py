"""Whether scripts show what the run saw: each is run in a fresh interpreter, its last line held against the cell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conformance.results import ResultRecord
from conformance.scripts.deriving import SCRIPTED
from conformance.verdicts import Verdict

__all__ = ["expected", "file_name", "mismatches", "shown", "tried"]

OUTCOME = "outcome: "
NOTHING = "nothing: it ended before"
PATIENCE_S = 120


def expected(row: ResultRecord) -> str:
    """What the last line of a cell's script says."""
    if row.verdict is Verdict.CRASH:
        return NOTHING
    return row.answer or ("as expected" if row.verdict is Verdict.PASS else "otherwise")


def tried(rows: Iterable[ResultRecord]) -> list[ResultRecord]:
    """The cells whose scripts can be tried: a timeout takes as long as it likes."""
    return [row for row in rows if row.verdict in SCRIPTED and row.verdict is not Verdict.TIMEOUT]


def file_name(cell: str) -> str:
    """The name of a script's file."""
    return cell.replace("[", "-").rstrip("]") + ".py"


def mismatches(rows: Sequence[ResultRecord], folder: Path, workers: int) -> list[str]:
    """The cells whose scripts show something else, or are missing, a line each. Leaves the scripts in the folder."""
    folder.mkdir(parents=True, exist_ok=True)

    def problem(row: ResultRecord) -> str:
        if not row.script:
            return f"{row.id}: has no script"
        path = folder / file_name(row.id)
        path.write_text(row.script, "utf-8")
        said, wanted = shown(path), expected(row)
        return "" if said == wanted else f"{row.id}: shows {said!r}, expected {wanted!r}"

    with ThreadPoolExecutor(workers) as pool:
        return [line for line in pool.map(problem, rows) if line]


def shown(path: Path) -> str:
    """What a script says at last, in a fresh interpreter."""
    command = [sys.executable, str(path)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return f"nothing: it took longer than {PATIENCE_S} s"
    last = done.stdout.strip().rpartition("\n")[2]
    return last.removeprefix(OUTCOME) if last.startswith(OUTCOME) else NOTHING
