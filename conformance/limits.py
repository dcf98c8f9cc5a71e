"""The hard limit: a watchdog that ends this process even while native code holds the interpreter lock.

The soft limit (pytest-timeout) raises in the check and costs nothing else, but it waits for Python to run. The watchdog
is faulthandler's thread: it needs no lock, writes the stacks to a marker file, and exits. The marker is opened before
the check starts, so that whoever finds the process dead can tell a timeout from a crash.
"""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["DEFAULT_LIMIT", "hard_limit", "ran_out", "watched"]

DEFAULT_LIMIT = 30.0


def hard_limit(soft: float) -> float:
    """Seconds after which the process is ended: the soft limit, and half as much again for it to take effect."""
    return soft * 1.5 + 0.5


@contextmanager
def watched(marker: Path | None, soft: float) -> Iterator[None]:
    """End this process if the block takes longer than the hard limit. Without a marker there is no watchdog."""
    if marker is None:
        yield
        return
    with marker.open("w") as stream:
        faulthandler.dump_traceback_later(hard_limit(soft), exit=True, file=stream)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def ran_out(marker: Path) -> bool:
    """Whether the process that kept this marker was ended by its watchdog."""
    return marker.exists() and marker.read_text(errors="replace").startswith("Timeout")
