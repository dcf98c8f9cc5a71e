"""Limits of a cell and of the process that it runs in. They are kept by the recording process, which watches both.

Nothing in the process of the engine is needed for them: they hold while native code holds the interpreter lock, while
the process is stopped, and when a check has changed clocks or signals.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_LIMIT = 30.0
# Frameworks reserve much address space that they never use: what counts is growth of the resident memory.
DEFAULT_MEMORY = 4.0
GIB = 2**30
# Loading a native library of an engine takes seconds where the disk is slow, and shows no progress.
SHORTEST_START_S = 5.0


@dataclass(frozen=True)
class Limits:
    """Limits of a behaviour: seconds, and GiB of resident memory that it may add to its process."""

    seconds: float = DEFAULT_LIMIT
    memory: float = DEFAULT_MEMORY

    @property
    def start_s(self) -> float:
        """Seconds that a starting worker may show no progress: it imports its engine, and the chapters."""
        return max(2 * self.seconds, SHORTEST_START_S)

    @property
    def too_long(self) -> str:
        """Message of a cell that took longer."""
        return f"took longer than {self.seconds:g} s"

    @property
    def too_much(self) -> str:
        """Message of a cell that took more memory."""
        return f"out of memory: the process grew by more than {self.memory:g} GiB"
