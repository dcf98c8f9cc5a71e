"""Whether scripts show what the run saw: each is run in a fresh interpreter, its last line held against the cell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path

from conformance.results import ResultRecord
from conformance.scripts.deriving import SCRIPTED
from conformance.verdicts import Verdict

__all__ = ["expected", "file_name", "mismatches", "shown", "tried"]

OUTCOME = "outcome: "
NOTHING = "nothing: it ended before"
PATIENCE_S = 120
RECORD = "as_expected.txt"


def expected(row: ResultRecord) -> str:
    """What the last line of a cell's script says."""
    if row.verdict is Verdict.CRASH:
        return NOTHING
    return row.convention or ("as expected" if row.verdict is Verdict.PASS else "otherwise")


def tried(rows: Iterable[ResultRecord]) -> list[ResultRecord]:
    """The cells whose scripts can be tried: a timeout takes as long as it likes."""
    return [row for row in rows if row.verdict in SCRIPTED and row.verdict is not Verdict.TIMEOUT]


def file_name(cell: str) -> str:
    """The name of a script's file."""
    return cell.replace("[", "-").rstrip("]") + ".py"


def mismatches(rows: Sequence[ResultRecord], folder: Path, workers: int, *, resume: bool = False) -> Iterator[str]:
    """The cells whose scripts show something else, or are missing, a line each, as they are found.

    Leaves the scripts in the folder, and a record, growing as they are tried, of those that showed what was expected.
    With `resume`, scripts that stand in the record, in the same words, are not tried again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / RECORD
    if not resume:
        record.unlink(missing_ok=True)
    held = set(record.read_text("utf-8").splitlines()) if record.exists() else set()
    left = [row for row in rows if _entry(row) not in held]
    pool = ThreadPoolExecutor(workers)
    try:
        trials = {pool.submit(_problem, row, folder): row for row in left}
        for trial in as_completed(trials):
            if problem := trial.result():
                yield problem
            else:
                with record.open("a", encoding="utf-8") as file:
                    print(_entry(trials[trial]), file=file)
    finally:
        pool.shutdown(cancel_futures=True)


def _entry(row: ResultRecord) -> str:
    """How a cell stands in the record: with what it expects and a digest of its script."""
    return f"{row.id} {sha256(f'{expected(row)} {row.script}'.encode()).hexdigest()}"


def _problem(row: ResultRecord, folder: Path) -> str:
    """What is wrong with a cell's script; empty if nothing is."""
    if not row.script:
        return f"{row.id}: has no script"
    path = folder / file_name(row.id)
    path.write_text(row.script, "utf-8")
    said, wanted = shown(path), expected(row)
    return "" if said == wanted else f"{row.id}: shows {said!r}, expected {wanted!r}"


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
