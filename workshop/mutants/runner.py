"""Runs mutants on behaviours: a few processes per engine, each mutant in a fork of one of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from workshop.mutant import MutantError
from workshop.mutants.trace import Spots, trace_spots
from workshop.mutants.worker import Job, MutantRun, run_job, start

# Not forked: what this process has loaded, another engine among it, is not to be in theirs.
_CONTEXT = multiprocessing.get_context("spawn")


class Workers:
    """The processes of a session, `each` per engine, started when needed and kept: PyTorch takes 9 s to load."""

    def __init__(self, each: int) -> None:
        self.each = each
        self._pools: dict[str, ProcessPoolExecutor] = {}

    def run(self, jobs: Iterable[Job]) -> Iterator[MutantRun]:
        """The outcomes of jobs, engine by engine. Raises MutantError where an engine cannot be started."""
        by_engine: dict[str, list[Job]] = {}
        for job in jobs:
            by_engine.setdefault(job.engine, []).append(job)
        for engine, waiting in by_engine.items():
            if engine not in self._pools:
                self._pools[engine] = _pool(engine, self.each)
            try:
                yield from self._pools[engine].map(run_job, waiting)
            except BrokenProcessPool:
                raise MutantError(_cannot(engine)) from None

    def close(self) -> None:
        """End all processes."""
        for pool in self._pools.values():
            pool.shutdown()


def traced(engine: str, cells: Sequence[str]) -> Spots:
    """The spots of an engine's source, with those of the cells that reach them. Raises MutantError."""
    # In another process than mutants are run in: those are to have run nothing.
    with _pool(engine, 1) as pool:
        try:
            return pool.submit(trace_spots, engine, cells).result()
        except BrokenProcessPool:
            raise MutantError(_cannot(engine)) from None


def _pool(engine: str, count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, _CONTEXT, start, (engine,))


def _cannot(engine: str) -> str:
    return f"a process with engine {engine!r} has ended: is it installed? Try --engine with another"
