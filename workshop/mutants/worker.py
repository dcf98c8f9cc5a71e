"""A process with an engine loaded that has run nothing yet; each mutant runs in a fork of it.

No matter what a mutant does to its process, the next one starts from the same state as it did.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from conformance import collection, engines
from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from workshop.isolation import Send, run_in_fork
from workshop.mutant import ENGINES, Mutant, MutantError
from workshop.mutants import source
from workshop.mutants.blame import own_mistake
from workshop.mutants.population import find, population
from workshop.timed_trial import preload, run_timed

# Not `error`: that is a mistake in the check, or in the mutant itself.
KILLS = ("fail", "differs", "crash", "timeout")
# Per cell, in seconds of computing; a process that waits for nothing is ended after ten times as long.
LIMITS = {"reference": 2.0, "torch": 20.0, "torch_func": 20.0, "jax": 60.0}
_PATIENCE = 10
_MOST_LATE = 3  # cells of one mutant; what is left then counts as not run
_MEMORY = 4 << 30
Cell = tuple[Behaviour, str | None]


@dataclass(frozen=True)
class Job:
    """A mutant and the cells to run on it, in this order; unless `everything`, up to the first kill."""

    mutant: str
    engine: str
    cells: list[str]
    everything: bool


@dataclass(frozen=True)
class MutantRun:
    """The outcome of a job: a verdict for each cell that was run, and a fault of the mutant itself, if it has one."""

    mutant: str
    engine: str
    cells: dict[str, str] = field(default_factory=dict)
    fault: str = ""


class Worker:
    """An engine, and the runs of its mutants."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.limit = LIMITS[engine]
        self.adapter: Adapter = engines.load(engines.parse(engine))
        self.cells = collection.cells()
        preload(ENGINES[engine])
        # Done once here, forks find it done.
        source.index()
        population()
        gc.freeze()  # the collector would write to every page that a fork shares

    def run(self, mutant: Mutant, wanted: list[str], everything: bool) -> MutantRun:
        """The verdicts of a mutant, from as many forks as it takes."""
        verdicts: dict[str, str] = {}
        left = list(wanted)
        while left:
            fault = self._run_in_fork(mutant, left, everything, verdicts)
            enough = not everything and any(verdict in KILLS for verdict in verdicts.values())
            late = sum(verdict == "timeout" for verdict in verdicts.values())
            if fault or enough or late >= _MOST_LATE:
                return MutantRun(mutant.name, self.engine, verdicts, fault)
            # The fork ended early: by a crash, a timeout, or a mode that a cell left behind.
            left = [cell for cell in left if cell not in verdicts]
        return MutantRun(mutant.name, self.engine, verdicts)

    def _run_in_fork(self, mutant: Mutant, left: list[str], everything: bool, verdicts: dict[str, str]) -> str:
        """Collect the verdicts of one fork. Returns what is wrong with the mutant itself, empty for nothing."""
        # Longer than a cell's computing time: a cell that sleeps or waits for a lock computes nothing.
        end = run_in_fork(partial(_judge, self, mutant, left, everything), self.limit * _PATIENCE)
        begun = ""
        for kind, text in end.messages:
            if kind == "fault":
                return str(text)
            if kind == "verdict":
                verdicts[begun] = text
            begun = text if kind == "begin" else ""
        if end.error:
            return end.error.strip().rpartition("\n")[2]
        if not end.messages and end.status:
            return f"its fork ended with status {end.status} before the first cell"
        if begun:
            verdicts[begun] = "timeout" if end.overdue else "crash"
        return ""


def _judge(worker: Worker, mutant: Mutant, left: list[str], everything: bool, send: Send) -> None:
    """Run cells on a mutant in this fork."""
    # A crash is a verdict here, and needs no traceback on the terminal.
    faulthandler.disable()
    # What a behaviour prints is not for the terminal either.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _limit_memory(worker.engine)
    try:
        with mutant.change(worker.adapter) as adapter:
            _run_cells(worker, mutant, adapter, left, everything, send)
    except MutantError as error:
        send(["fault", str(error)])


def _limit_memory(engine: str) -> None:
    # PyTorch and JAX reserve more addresses than they use.
    if engine == "reference":
        import resource  # which Windows lacks, and `refresh` imports this module there

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _run_cells(worker: Worker, mutant: Mutant, adapter: Adapter, left: list[str], everything: bool, send: Send) -> None:
    """Run cells until there are none, or the fork is no longer fit for another."""
    state = modes(worker.engine, worker.adapter)
    # What a mode leaves behind is for the checks to detect, not for the harness.
    adapter.global_state = dict  # type: ignore[method-assign]
    for cell in left:
        # Sent first: if the fork crashes, the worker knows in which cell.
        send(["begin", cell])
        verdict = _verdict(worker, mutant, adapter, cell)
        send(["verdict", verdict])
        killed = verdict in KILLS and not everything
        if killed or verdict == "timeout" or modes(worker.engine, worker.adapter) != state:
            return


def modes(engine: str, adapter: Adapter) -> Mapping[str, Any]:
    """The switches of the engine: those that the adapter knows, and those that only the engine has."""
    switches = dict(type(adapter).global_state(adapter))
    if engine == "reference":
        from reference_engine.core import levels, modes

        names = ("grad", "inference", "anomaly", "transforms")
        switches.update({name: getattr(modes.state.now, name) for name in names}, levels=levels.depth())
    return switches


def _verdict(worker: Worker, mutant: Mutant, adapter: Adapter, cell: str) -> str:
    behaviour, case = worker.cells[cell]
    outcome = run_timed(behaviour, adapter, case, worker.limit)
    return "error" if own_mistake(outcome.raised, mutant.name) else outcome.verdict.value


@cache
def start(engine: str) -> Worker:
    """Load an engine, once in this process."""
    return Worker(engine)


def run_job(job: Job) -> MutantRun:
    """The outcome of a job, in the process that was started for its engine."""
    worker = start(job.engine)
    try:
        return worker.run(find(job.mutant, job.engine), job.cells, job.everything)
    except MutantError as error:
        return MutantRun(job.mutant, job.engine, fault=str(error))
