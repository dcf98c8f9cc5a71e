"""A run that was cut short, taken up again where it stopped; and one file that two runs must not write at once.

A results file is only ever appended to, so what stands in it can be kept: the last line, if it is torn, is cut off, and
cells without a result are run again. Everything that a verdict depends on must be as it was: suite, engine, adapter and
options are compared, and the first that is not says why the run is refused.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from conformance.results import (
    BehaviourRecord,
    Header,
    ResultRecord,
    ResultsError,
    last_per_cell,
    records,
)

__all__ = ["Earlier", "earlier", "end_with_parent", "locked", "open_for_writing", "pending", "refuse_other"]


@dataclass(frozen=True)
class Earlier:
    """What an interrupted run left: how it was started, which cells it was to fill, and those that it did."""

    header: Header
    cells: tuple[str, ...]
    results: dict[str, ResultRecord]


def earlier(path: Path) -> Earlier | None:
    """What stands in a results file, cut back to its last whole line; None if it never came to its cells.

    Raises ResultsError if the file is no results file.
    """
    if not path.exists() or not _cut_back(path):
        return None
    lines = list(records(path))
    if not isinstance(lines[0], Header):
        raise ResultsError(f"{path}: does not begin with a header; run without --resume to start anew")
    cells = tuple(cell for line in lines if isinstance(line, BehaviourRecord) for cell in line.cells)
    if len(cells) < lines[0].selected:
        return None  # it was killed while the behaviours were being written
    return Earlier(lines[0], cells, {row.id: row for row in last_per_cell(lines)})


def _cut_back(path: Path) -> int:
    """Cut off a torn last line, and a footer, behind which nothing may stand; return the bytes that are left."""
    whole = path.read_bytes()
    lines = whole[: whole.rfind(b"\n") + 1].splitlines(keepends=True)
    if lines and lines[-1].startswith(b'{"kind":"footer"'):
        lines.pop()
    length = sum(map(len, lines))
    os.truncate(path, length)
    return length


def pending(before: Earlier | None, cells: Sequence[str]) -> list[str]:
    """The cells that are still to be run; never none, since a run of no cell would have no end to write."""
    if before is None:
        return list(cells)
    if set(before.cells) != set(cells):
        raise ResultsError(
            f"the interrupted run selected {len(before.cells)} cells, this one {len(cells)} others or more; "
            "name the same behaviours, or run without --resume"
        )
    return [cell for cell in cells if cell not in before.results] or [cells[-1]]


def refuse_other(path: Path, old: Header, new: Header) -> None:
    """Raise ResultsError unless both headers stand for the same run."""
    pairs = {
        "suite revision": (old.suite.revision, new.suite.revision),
        "engine": (f"{old.engine.spec} {old.engine.version}", f"{new.engine.spec} {new.engine.version}"),
        "adapter": (old.adapter, new.adapter),
        "promisers": (old.engine.promisers, new.engine.promisers),
        "Python": (old.engine.python, new.engine.python),
        "seed": (old.seed, new.seed),
        "limit": (old.limit_s, new.limit_s),
    }
    for what, (was, now) in pairs.items():
        if was != now:
            raise ResultsError(f"{path}: cannot be resumed: its {what} was {was}, this run's is {now}; run it anew")


def open_for_writing(path: Path) -> TextIO:
    """The file, opened to append and locked for this process. Raises ResultsError while another run writes to it."""
    stream = path.open("a", encoding="utf-8")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise ResultsError(f"{path}: another run writes to it; wait for its end, or give another --output") from None
    return stream


def locked(path: Path) -> bool:
    """Whether a run is writing to the file now."""
    if not path.exists():
        return False
    try:
        open_for_writing(path).close()
    except ResultsError:
        return True
    return False


def end_with_parent(parent: int, every_s: float = 0.2) -> None:
    """End this process soon after its parent has died: nobody would read what it writes, and its file stays locked."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(every_s)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True, name="end with parent").start()
