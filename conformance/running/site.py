"""Tasks on a worker of a Dask cluster: programs in a process that the worker starts and watches.

The worker itself imports no engine, so that no program can end it, and its threads share no engine. The process stays
for the next task, and ends after a minute without a task: a worker lives on when a campaign is over.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.running.engine_run import EngineRun
from conformance.running.exchange import Asked, Done, Message, Unusable
from conformance.running.loop import Events, step
from conformance.running.options import Options
from conformance.running.processes import Process
from conformance.running.recorder import Recording
from conformance.running.start import Run, Start
from conformance.running.work import Work
from conformance.tallies import joined_records

# Seconds that a process stays without a task.
IDLE_S = 60.0


class SiteRun(EngineRun):
    """An engine's run that goes on with the next task."""

    def finish(self) -> None:
        """Keep the process."""


class Site:
    """The process of a thread, and the run that watches it."""

    def __init__(self, engine: str, options: Options) -> None:
        self._asked_for = engine, options
        self._events: Events = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._timer = threading.Timer(IDLE_S, self.close)
        # Folders are named after the thread, as no two threads may share a folder.
        self._run = Run(Path(f"site-{os.getpid()}-{threading.get_ident()}"))
        # In memory. Deaths are in the tallies.
        self._recorder = Recording()
        self._work = Work(options, self._recorder)
        start = Start(engine, options, Path(os.devnull), self._run, self._events)
        self._site = SiteRun(start, self._recorder, self._work, Process)

    def fits(self, engine: str, options: Options) -> bool:
        """Whether the site can run a task of these."""
        return self._asked_for == (engine, options) and not self._site.over

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Keep the process during this block, and for a minute after it."""
        # A worker of a cluster does not learn of a campaign's end.
        self._timer.cancel()
        with self._lock:
            yield
        self._timer = threading.Timer(IDLE_S, self.close)
        self._timer.daemon = True
        self._timer.start()

    def run(self, asked: Asked | None) -> list[Message]:
        """Run programs to their end; without any, load the engine. Returns what a process here would have sent."""
        if asked:
            self._recorder.signatures = asked.known
            self._work.give_back(asked.cells)
        looked = time.monotonic()
        while not (self._site.over or self._site.idle):
            # Signals are Dask's own here.
            looked = step([self._site], self._events, 1, looked)
        records = list(joined_records(self._recorder.fresh))
        self._recorder.fresh.clear()
        if self._site.failure or self._site.ready is None:
            return [Unusable(self._site.failure)]
        # Each time: the recorder compares what all sites declare, as tasks come to whichever is free.
        return [self._site.ready, *([Done(asked.cells[0], records)] if asked else [])]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._site.close()
            self._run.close()


_OWN = threading.local()


def run_task(engine: str, options: Options, asked: Asked | None) -> list[Message]:
    """Run programs in the process of this thread. The answer depends on nothing but the arguments."""
    while True:
        site: Site | None = getattr(_OWN, "site", None)
        if site is None or not site.fits(engine, options):
            if site is not None:
                site.close()
            site = _OWN.site = Site(engine, options)
        with site.awake():
            if site.fits(engine, options):  # else it has just been closed for being idle
                return site.run(asked)
