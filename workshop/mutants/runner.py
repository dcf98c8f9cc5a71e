"""Runs mutants on behaviours: a few worker processes per engine, each mutant in a fork of one of them."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from workshop.mutant import MutantError

ROOT = Path(__file__).parents[2]

Process = subprocess.Popen[str]


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
    seconds: float = 0.0


class Workers:
    """The worker processes of a session, `each` per engine, started when needed and kept: PyTorch takes 9 s to load."""

    def __init__(self, each: int) -> None:
        self.each = each
        self.idle: dict[str, queue.SimpleQueue[Process]] = {}

    def run(self, jobs: Iterable[Job]) -> Iterator[MutantRun]:
        """The outcomes of jobs, engine by engine. Raises MutantError where an engine cannot be started."""
        by_engine: dict[str, list[Job]] = {}
        for job in jobs:
            by_engine.setdefault(job.engine, []).append(job)
        for engine, waiting in by_engine.items():
            self.idle.setdefault(engine, queue.SimpleQueue())
            # A thread waits for a process: as many threads as processes keep all of them busy.
            with ThreadPoolExecutor(self.each) as threads:
                yield from threads.map(self._run, waiting)

    def _run(self, job: Job) -> MutantRun:
        idle = self.idle[job.engine]
        process = _next(job.engine, idle)
        outcome = _run_job(process, job)
        # A process that has ended is not kept: the next job starts another.
        if process.poll() is None:
            idle.put(process)
        return outcome

    def close(self) -> None:
        """End all processes."""
        for idle in self.idle.values():
            while not idle.empty():
                process = idle.get()
                assert process.stdin is not None
                process.stdin.close()
                process.wait()


def _next(engine: str, idle: queue.SimpleQueue[Process]) -> Process:
    try:
        return idle.get_nowait()
    except queue.Empty:
        process = _started("worker", engine)
    assert process.stdout is not None
    # A worker's first line comes once its engine is loaded; the end of its output comes instead if it cannot be.
    if not process.stdout.readline():
        raise MutantError(f"engine {engine!r} cannot be started here: is it installed? Try --engine with another")
    return process


def _run_job(process: Process, job: Job) -> MutantRun:
    assert process.stdin is not None
    assert process.stdout is not None
    request = {"mutant": job.mutant, "cells": job.cells, "all": job.everything}
    try:
        # One line each way: a request is answered before the next is sent.
        print(json.dumps(request), file=process.stdin, flush=True)
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    if not answer:
        process.wait()
        return MutantRun(job.mutant, job.engine, fault="it brought down the process that forks, not only its fork")
    result = json.loads(answer)
    return MutantRun(job.mutant, job.engine, result["cells"], result["fault"], result["seconds"])


def _started(module: str, *arguments: str) -> Process:
    command = [sys.executable, "-m", f"workshop.mutants.{module}", *arguments]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def traced(engine: str, package: str, cells: Sequence[str]) -> dict[str, list[str]]:
    """The spots of an engine's source, with those of the cells that reach them."""
    with _started("trace", engine, package) as process:
        output = process.communicate(json.dumps(list(cells)))[0]
    if process.returncode:
        raise MutantError(f"engine {engine!r} cannot be traced: the process ended with status {process.returncode}")
    spots: dict[str, list[str]] = json.loads(output)
    return spots
