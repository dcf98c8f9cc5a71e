"""Runs engines: as many processes at a time as there are cores, and one clock that watches all of them."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from conformance.running import systems
from conformance.running.engine_run import EngineRun
from conformance.running.interrupts import postponed
from conformance.running.options import Options
from conformance.running.processes import Event, Run

__all__ = ["run_engines"]

POLL_S = 0.05  # a process may fill gigabytes of memory within a second
# What processes have said is taken for so long, before clocks are looked at.
LONGEST_S = 0.5
# A step takes far less, unless this process did not run.
STOPPED_S = 1.0


def run_engines(specs: Sequence[str], options: Options, show: Callable[[EngineRun], None]) -> list[EngineRun]:
    """Run the engines, and call `show` when one may have advanced. Their processes end with this call.

    Raises ResultsError where a run cannot be resumed, OSError where nothing can be written.
    """
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    with postponed() as take_signal, closing(Run(options.output)) as run:
        runs: list[EngineRun] = []
        try:
            runs += (EngineRun(spec, options, run, events) for spec in specs)
            capacity = max(systems.cores(), options.workers or 1)
            looked = time.monotonic()
            while not all(one.over for one in runs):
                take_signal()
                _start(runs, capacity)
                _take(runs, events)
                before, looked = looked, time.monotonic()
                if looked - before > STOPPED_S:
                    _forgive(runs, looked - before)
                for one in runs:
                    if not one.over:
                        one.watch()
                    show(one)
        finally:
            for one in runs:
                one.close()
        return runs


def _start(runs: Sequence[EngineRun], capacity: int) -> None:
    """Start processes while there are idle cores: first one for each engine, last further ones for an engine."""

    def free() -> bool:
        return sum(one.busy for one in runs) < capacity

    for one in runs:
        if free() and one.needs_worker():
            one.start()
    for one in runs:
        while free() and one.needs_lone():
            one.start_lone()
    for one in runs:
        while free() and one.gains_from_worker():
            one.start()


def _take(runs: Sequence[EngineRun], events: queue.SimpleQueue[Event]) -> None:
    """Take what processes said: all of it, before a clock is looked at."""
    owners = {process: one for one in runs for process in one.processes}
    try:
        process, message = events.get(timeout=POLL_S)
        # Not without end: a process may write faster than it is read.
        until = time.monotonic() + LONGEST_S
        while True:
            if process in owners:
                owners[process].take(process, message)
            if time.monotonic() > until:
                return
            process, message = events.get_nowait()
    except queue.Empty:
        return


def _forgive(runs: Sequence[EngineRun], seconds: float) -> None:
    """Set clocks back: what processes said meanwhile, such as after Ctrl-Z in the terminal, is still to be read."""
    for process in (process for one in runs for process in one.processes):
        process.since += seconds
