"""Runs of engines: as many processes at a time as there are cores, and a clock that watches all of them."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

from conformance.results import PROGRAMS
from conformance.running.cluster import Cluster
from conformance.running.engine_run import EngineRun
from conformance.running.interrupts import postponed
from conformance.running.loop import Events, step
from conformance.running.options import Options
from conformance.running.processes import Process
from conformance.running.recorder import Recorder
from conformance.running.start import Run, Start
from conformance.running.systems import cores
from conformance.running.tally_recorder import TallyRecorder
from conformance.running.work import Work


def run_engines(specs: Sequence[str], options: Options, show: Callable[[EngineRun], None]) -> list[EngineRun]:
    """Run the engines, and call `show` when a run may have advanced. Their processes end with this call.

    Raises ResultsError where a run cannot be resumed, ClusterError where no worker will come back, OSError where
    nothing can be written.
    """
    events: Events = queue.SimpleQueue()
    # The cluster that has the workers, if any.
    workers = closing(Cluster(options.dask)) if options.dask else nullcontext()
    with postponed() as take_signal, closing(Run(options.output)) as run, workers as cluster:
        runs: list[EngineRun] = []
        try:
            # Within `try`, and extended run by run: if a start fails, the runs before it are closed.
            runs += (_run_of(Start(spec, options, Path(), run, events), cluster) for spec in specs)
            looked = time.monotonic()
            while not all(engine_run.over for engine_run in runs):
                take_signal()
                # An engine may be given more processes than there are cores; programs share them.
                capacity = cluster.capacity if cluster else options.workers or cores()
                looked = step(runs, events, capacity if options.part == PROGRAMS else max(cores(), capacity), looked)
                for engine_run in runs:
                    show(engine_run)
        finally:
            for engine_run in runs:
                engine_run.close()
        return runs


def _run_of(start: Start, cluster: Cluster | None) -> EngineRun:
    kind = TallyRecorder if start.options.part == PROGRAMS else Recorder
    recorder = kind(start.engine, start.options)
    work = Work(start.options, recorder)
    return EngineRun(replace(start, log=recorder.log), recorder, work, cluster.start if cluster else Process)
