"""What a worker of an executor does, on this machine or another: it tries seeds in a separate process.

A program that ends the process, takes too long or shows a fault of the suite costs itself only. It is tried again
alone, in a fresh process, and is a finding if that ends in the same way. The worker itself imports no engine, and
threads may work beside each other.
"""

from __future__ import annotations

import threading

import msgspec

from autograd_conformance.farm.exchange import EngineReady, FarmError, FindingAsked, LoadingEnded, ProgramsAsked, Task
from autograd_conformance.farm.program_process import LONGEST_START_S, Death, ProgramProcess
from conformance.programs.results import BatchRecord, FindingRecord, one_batch

__all__ = ["Processes", "attempt", "ready_of"]

# How often a program is tried that ends its process in another way each time, or a process before any program.
PATIENCE = 4


class Processes:
    """The processes of this one, at most one for each thread."""

    def __init__(self) -> None:
        self._own = threading.local()
        self._lock = threading.Lock()
        self._all: set[ProgramProcess] = set()
        self._closed = False

    def get(self, task: Task, fresh: bool = False) -> ProgramProcess:
        """The one of this thread for the engine of a task; if need be, a new one. Raises FarmError."""
        own: ProgramProcess | None = getattr(self._own, "process", None)
        fits = own is not None and (own.engine, own.module) == (task.engine, task.module)
        if own is not None:
            if fits and own.alive and (own.renew() if fresh or own.large else True):
                return own
            self._drop(own)
        made = self._started(task)
        with self._lock:
            self._all.add(made)
        self._own.process = made
        if self._closed:
            self._drop(made)
        _check_same(task, made.ready)
        return made

    def _started(self, task: Task) -> ProgramProcess:
        """A new process, with its engine. Raises FarmError."""
        for misses in range(1, PATIENCE + 1):
            if self._closed:
                break
            try:
                return ProgramProcess(task.engine, task.module)
            except LoadingEnded:
                if misses == PATIENCE:
                    raise
        raise FarmError("the campaign has ended")

    def _drop(self, process: ProgramProcess) -> None:
        process.end()
        with self._lock:
            self._all.discard(process)
        if self._closed:
            raise FarmError("the campaign has ended")

    def close(self) -> None:
        """End all of them, for good: threads that are at work raise FarmError."""
        self._closed = True
        with self._lock:
            processes = list(self._all)
        for process in processes:
            process.end()


# Of this process, for executors that are given functions and not objects.
_PROCESSES = Processes()


def ready_of(task: Task, processes: Processes = _PROCESSES) -> EngineReady:
    """What is to be known of the engine, where this runs. Raises FarmError if it cannot be used."""
    return processes.get(task).ready


def attempt(task: Task, processes: Processes = _PROCESSES) -> BatchRecord:
    """Try the seeds of a task. The outcome depends on nothing but the task. Raises FarmError."""
    parts: list[BatchRecord] = []
    todo = [(task.first, task.last)]
    misses = 0
    while todo:
        first, last = todo.pop()
        outcome = processes.get(task).tried(_asked(task, first, last), task.limit)
        if isinstance(outcome, BatchRecord):
            parts.append(outcome)
        elif outcome.seed is not None:
            parts.append(_alone(task, outcome, outcome.seed, processes))
            todo += [one for one in ((outcome.seed + 1, last), (first, outcome.seed)) if one[0] < one[1]]
        else:
            misses += 1
            if misses == PATIENCE:
                raise FarmError(f"engine {task.engine!r}: {task.kind} {first}:{last}: {outcome.message}")
            todo.append((first, last))
    return one_batch(sorted(parts, key=lambda part: part.first))


def _asked(task: Task, first: int, last: int) -> ProgramsAsked:
    return ProgramsAsked(task.kind, first, last, task.known)


def _alone(task: Task, death: Death, seed: int, processes: Processes) -> BatchRecord:
    """Try one program alone until it ends twice in the same way, or does not: a lone SIGKILL may come from outside."""
    for _ in range(PATIENCE):
        outcome = processes.get(task, fresh=True).tried(_asked(task, seed, seed + 1), task.limit)
        if isinstance(outcome, BatchRecord):
            return msgspec.structs.replace(outcome, ended=outcome.ended + 1)
        before, death = death, outcome
        if (death.oracle, death.message) == (before.oracle, before.message):
            break
    finding = _finding(task, death, seed, processes)
    return BatchRecord(task.kind, seed, seed + 1, 1, 1, 0, {finding.signature: 1}, [finding], 0.0)


def _finding(task: Task, death: Death, seed: int, processes: Processes) -> FindingRecord:
    """The finding of a program that ends its process, with the program if that can be told."""
    asked = FindingAsked(task.kind, seed, death.oracle, death.message)
    told = processes.get(task).finding(asked, LONGEST_START_S)
    return told or FindingRecord(f"{death.oracle}: {task.kind}", death.oracle, task.kind, seed, death.message, {})


def _check_same(task: Task, ready: EngineReady) -> None:
    """Raise FarmError where a worker has another suite or engine than the campaign."""
    for what, wanted, got in (
        ("suite revision", task.revision, ready.revision),
        ("version of the engine", task.version, ready.engine.version),
    ):
        if wanted and wanted != got:
            raise FarmError(f"a worker has {what} {got}, the campaign {wanted}; install the same on all machines")
