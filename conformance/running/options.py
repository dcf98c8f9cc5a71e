"""The options of a run, and the limits of a cell in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.behaviour import Behaviour
from conformance.collection import CHAPTERS
from conformance.messages import InputError

# The module that makes and judges generated programs: `prepare`, `try_batch`, and `finding_of` for a program that ends
# its process.
BATCHES = "conformance.programs.batch"
DEFAULT_LIMIT = 30.0
# Frameworks reserve much address space that they never use: what counts is growth of the resident memory.
DEFAULT_MEMORY = 4.0
GIB = 2**30
# Loading a native library of an engine takes seconds where the disk is slow, and shows no progress.
SHORTEST_START_S = 5.0


class ClusterError(InputError):
    """There is no cluster, or it is lost; the message is the reason, in a line."""


@dataclass(frozen=True)
class Limits:
    """Limits of a behaviour: seconds, and GiB of resident memory that it may add to its process.

    The recording process keeps them. Nothing in the process of the engine is needed for that: they hold while native
    code holds the interpreter lock, while the process is stopped, and when a check has changed clocks or signals.
    """

    seconds: float = DEFAULT_LIMIT
    memory: float = DEFAULT_MEMORY

    @property
    def start_s(self) -> float:
        """Seconds that a starting worker may show no progress: it imports its engine, and the chapters."""
        return max(2 * self.seconds, SHORTEST_START_S)


@dataclass(frozen=True)
class Options:
    """The selection of a run, and its settings.

    `cells` are the ids to run, in the order of the suite, `complete`: they are all of it, `behaviours` those
    that declare them. `workers` is the number of processes for each engine; None: as many as there are idle cores.
    `part` is empty, or `operations` for the laws, whose known failures are in other files, or `inventory` for the laws
    on each engine's inventory: then `cells` is empty, and `chosen` has the operations that are run (none: all). It is
    `programs` for generated programs: `seeds` are those from the first to before the last, `chosen` their kinds (none:
    all), `dask` the address of a cluster that has the workers (empty: this machine).
    `cache` is a folder in which an adapter may keep what its engine compiled; None: there is none.
    """

    output: Path
    cells: Sequence[str]
    behaviours: Sequence[Behaviour]
    complete: bool = False
    workers: int | None = None
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    resume: bool = False
    chapters: Path = CHAPTERS
    cache: Path | None = None
    part: str = ""
    chosen: Sequence[str] = ()
    seeds: tuple[int, int] = (0, 0)
    dask: str = ""
    batches: str = field(default_factory=lambda: BATCHES)
