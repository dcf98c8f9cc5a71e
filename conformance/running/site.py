"""Tasks on a worker of a Dask cluster: a range of seeds in a process that the worker starts and watches.

The worker itself imports no engine, so that no program can end it, and its threads share no engine. The process stays
for the next task, and ends after a minute without one: a worker lives on when a campaign is over.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conformance.results import PROGRAMS, ResultRecord, TallyRecord
from conformance.running.crashes import Settled
from conformance.running.engine_run import EngineRun
from conformance.running.exchange import AskedSeeds, Message, NewFinding, Ready, Tallied
from conformance.running.limits import Limits
from conformance.running.loop import Events, step
from conformance.running.options import Options
from conformance.running.processes import Process
from conformance.running.recorder import Recording
from conformance.running.seeds import SeedWork
from conformance.running.start import Run, Start
from conformance.tallies import SeedRange, join_tallies

__all__ = ["SiteAnswer", "SiteTask", "run_task"]

# Seconds that a process stays without a task.
IDLE_S = 60.0


@dataclass(frozen=True)
class SiteTask:
    """A range of seeds on an engine, with seconds per program; without one, only the engine is loaded."""

    engine: str
    limit: float
    batches: str
    asked: AskedSeeds | None


@dataclass(frozen=True)
class SiteAnswer:
    """The messages about a range, or why there are none; `ready` is that of the engine, if it could be loaded."""

    ready: Ready | None
    failure: str
    messages: tuple[Message, ...] = ()


class SiteRecorder(Recording):
    """Records in memory, for one task. Deaths are in the tally."""

    def __init__(self) -> None:
        super().__init__()
        self.signatures: tuple[str, ...] = ()
        self.tallies: list[TallyRecord] = []
        self.findings: list[ResultRecord] = []

    def missing(self) -> list[SeedRange]:
        """None: ranges come with tasks."""
        return []

    def settle(self, records: Settled) -> None:
        """Keep records."""
        for record in records:
            if isinstance(record, TallyRecord):
                self.tallies.append(record)
            else:
                self.findings.append(record)

    def messages(self) -> Iterator[Message]:
        """All records, with one tally for the range, whichever parts it was run in."""
        yield from map(NewFinding, self.findings)
        yield from map(Tallied, join_tallies(self.tallies))


class SiteRun(EngineRun):
    """An engine's run that goes on with the next task."""

    def finish(self) -> None:
        """Keep the process."""


class Site:
    """The process of one thread, and what watches it."""

    def __init__(self, task: SiteTask) -> None:
        self.engine = task.engine
        self._events: Events = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._timer = threading.Timer(IDLE_S, self.close)
        # Folders are named after it: no two threads may share one.
        self._run = Run(Path(f"site-{os.getpid()}-{threading.get_ident()}"))
        options = Options(Path(), (), (), workers=1, limits=Limits(task.limit), part=PROGRAMS, batches=task.batches)
        start = Start(task.engine, options, Path(os.devnull), self._run, self._events)
        self._recorder = SiteRecorder()
        self._work = SeedWork(options, self._recorder)
        self._site = SiteRun(start, self._recorder, self._work, Process)

    def fits(self, task: SiteTask) -> bool:
        """Whether the site can run a task."""
        options = self._site.options
        same = (self.engine, options.limits.seconds, options.batches) == (task.engine, task.limit, task.batches)
        return same and not self._site.over

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Keep the process during this block, and for a minute after it."""
        self._timer.cancel()
        with self._lock:
            yield
        self._timer = threading.Timer(IDLE_S, self.close)
        self._timer.daemon = True
        self._timer.start()

    def run(self, asked: AskedSeeds | None) -> SiteAnswer:
        """Run a range to its end."""
        self._recorder.tallies, self._recorder.findings = [], []
        if asked:
            self._recorder.signatures = asked.known
            self._work.add(SeedRange(asked.kind, asked.first, asked.last))
        looked = time.monotonic()
        while not (self._site.over or self._site.idle):
            looked = step([self._site], self._events, 1, looked)
        return SiteAnswer(self._site.ready, self._site.failure, tuple(self._recorder.messages()))

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._site.close()
            self._run.close()


_OWN = threading.local()


def run_task(task: SiteTask) -> SiteAnswer:
    """Run a task in the process of this thread. The answer depends on nothing but the task."""
    site: Site | None = getattr(_OWN, "site", None)
    if site is None or not site.fits(task):
        if site is not None:
            site.close()
        site = _OWN.site = Site(task)
    with site.awake():
        if not site.fits(task):  # it has just been closed
            del _OWN.site
        else:
            return site.run(task.asked)
    return run_task(task)
