"""Runs mutants on behaviours: a few worker processes per engine, each mutant in a fork of one of them."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workshop.mutants.mutant import MutantError

__all__ = ["Job", "Run", "run", "traced"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Job:
    """A mutant and the cells to run on it, in this order; unless `everything`, up to the first kill."""

    mutant: str
    engine: str
    cells: list[str]
    everything: bool


@dataclass(frozen=True)
class Run:
    """What came of a job: a verdict for each cell that was run, and what is wrong with the mutant itself, if so."""

    mutant: str
    engine: str
    cells: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    seconds: float = 0.0


def run(jobs: Iterable[Job], workers: int) -> Iterator[Run]:
    """The outcomes of jobs, as they come. Raises MutantError where an engine cannot be started."""
    waiting: dict[str, queue.SimpleQueue[Job]] = {}
    count = 0
    for job in jobs:
        waiting.setdefault(job.engine, queue.SimpleQueue()).put(job)
        count += 1
    done: queue.SimpleQueue[Run | BaseException] = queue.SimpleQueue()
    for engine, mine in waiting.items():
        for _ in range(workers):
            threading.Thread(target=_serve, args=(engine, mine, done), daemon=True).start()
    for _ in range(count):
        outcome = done.get()
        if isinstance(outcome, BaseException):
            raise outcome
        yield outcome


def _serve(engine: str, waiting: queue.SimpleQueue[Job], done: queue.SimpleQueue[Run | BaseException]) -> None:
    """Hand jobs to one worker process after another, until there are no more."""
    try:
        while not waiting.empty():
            _serve_one_process(engine, waiting, done)
    except BaseException as error:
        done.put(error)


def _serve_one_process(engine: str, waiting: queue.SimpleQueue[Job], done: queue.SimpleQueue[Any]) -> None:
    with _started("worker", engine) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if not process.stdout.readline():
            raise MutantError(f"engine {engine!r} cannot be started here: is it installed? Try --engine with another")
        while True:
            try:
                job = waiting.get_nowait()
            except queue.Empty:
                process.stdin.close()
                return
            done.put(_asked(process, job))
            if process.poll() is not None:
                return


def _asked(process: subprocess.Popen[str], job: Job) -> Run:
    assert process.stdin is not None
    assert process.stdout is not None
    asked = {"mutant": job.mutant, "cells": job.cells, "all": job.everything}
    try:
        print(json.dumps(asked), file=process.stdin, flush=True)
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    if not answer:
        process.wait()
        return Run(job.mutant, job.engine, fault="it brought down the process that forks, not only its fork")
    found = json.loads(answer)
    return Run(job.mutant, job.engine, found["cells"], found["fault"], found["seconds"])


def _started(module: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"workshop.mutants.{module}", *arguments]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def traced(engine: str, package: str) -> dict[str, list[str]]:
    """The spots of an engine's source, with the cells that reach them."""
    with _started("trace", engine, package) as process:
        said = process.communicate()[0]
    if process.returncode:
        raise MutantError(f"engine {engine!r} cannot be traced: the process ended with status {process.returncode}")
    found: dict[str, list[str]] = json.loads(said)
    return found
