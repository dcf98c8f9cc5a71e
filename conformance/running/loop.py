"""One step of runs: start processes, take what they send, watch their clocks and memory."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Sequence

from conformance.running.engine_run import EngineRun
from conformance.running.processes import Event

Events = queue.SimpleQueue[Event]
POLL_S = 0.05  # a process may fill gigabytes of memory within a second
# Messages are taken for so long, before clocks are looked at.
LONGEST_S = 0.5
# A step takes far less, unless this process did not run.
STOPPED_S = 1.0


def step(runs: Sequence[EngineRun], events: Events, capacity: int, looked: float) -> float:
    """Start, hear and watch processes once. `looked` is when clocks were looked at last; returns when that was now."""
    _start(runs, capacity)
    _take(runs, events)
    now = time.monotonic()
    if now - looked > STOPPED_S:
        _forgive(runs, now - looked)
    for engine_run in runs:
        if not engine_run.over:
            engine_run.watch()
    return now


def _start(runs: Sequence[EngineRun], capacity: int) -> None:
    """Start processes while there are idle cores: a first for each engine, then lone cells, then further ones."""

    def free() -> bool:
        return sum(engine_run.busy for engine_run in runs) < capacity

    for engine_run in runs:
        if free() and engine_run.needs_worker():
            engine_run.start()
    for engine_run in runs:
        while free() and engine_run.needs_lone():
            engine_run.start_lone()
    for engine_run in runs:
        while free() and engine_run.gains_from_worker():
            engine_run.start()


def _take(runs: Sequence[EngineRun], events: Events) -> None:
    """Take all messages of processes, before a clock is looked at."""
    owners = {process: engine_run for engine_run in runs for process in engine_run.processes}
    # Not without end: a process may write faster than it is read.
    began, wait_s = time.monotonic(), POLL_S
    with contextlib.suppress(queue.Empty):
        while time.monotonic() - began < LONGEST_S:
            process, message = events.get(timeout=wait_s) if wait_s > 0 else events.get_nowait()
            if process in owners:
                owners[process].take(process, message)
            # A process with further cells asks for nothing: of generated programs, hundreds are done in a second.
            wait_s = POLL_S - (time.monotonic() - began) if process.cells else 0.0


def _forgive(runs: Sequence[EngineRun], seconds: float) -> None:
    """Set clocks back: messages that came meanwhile, such as after Ctrl-Z in the terminal, are still to be read."""
    for process in (process for engine_run in runs for process in engine_run.processes):
        process.since += seconds
