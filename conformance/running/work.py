"""Cells of a run that no worker has, and how they are given to workers: in batches that share them evenly.

Laws on an operation share what is computed and compiled for it, so a worker is given all cells of the operation. The
cell of a generated program is KIND:SEED. It is given, done and lost as any other: what differs is what a death
means (`inquiry`), and how many are worth a process.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Sequence

from conformance.known_causes import LAWS
from conformance.operations.inventory import INVENTORY
from conformance.results import PROGRAMS, DeathRecord, ResultRecord, TallyRecord
from conformance.running.crashes import Inquiry, Settled, inquire, inquire_program, only
from conformance.running.options import Options
from conformance.running.recorder import Recording
from conformance.running.worker_state import WorkerState

# Cells that a worker is given at once, and the number below which it is given more: none idles between two batches.
BATCH, FEW = 32, 8
# A task of a cluster is far away, and has nothing to go on with: a second or two of programs.
LARGE_BATCH = 500
# A further worker imports the engine again, which these cells must be worth. Of programs, it runs far more than these.
WORTH_A_WORKER = 200


class Work:
    """The cells that no worker has. `recorder` knows which they are, once the engine is there."""

    def __init__(self, options: Options, recorder: Recording) -> None:
        self._options, self._recorder = options, recorder
        self._batch = LARGE_BATCH if options.dask else BATCH
        self._returned: deque[str] = deque()
        # Not a list: a campaign has millions of programs.
        self.left, self._cells = recorder.pending()
        self._begun = False

    def begin(self) -> list[Inquiry]:
        """Take the cells of the run; those that are known to end their process are tried alone."""
        self._begun = True
        self.left, self._cells = self._recorder.pending()
        # A thread of a cluster that is new may have been given cells before its engine was there.
        self.left += len(self._returned)
        # They would only cost a worker, and be tried alone after it.
        return [only(cell) for cell in self._recorder.deadly]

    def give_back(self, cells: Sequence[str]) -> None:
        """Take cells that are to be given to a worker before all others."""
        self._returned.extendleft(reversed(cells))
        self.left += len(cells)

    def gains_from_worker(self, workers: int) -> bool:
        """Whether a further worker is asked for, or worth its start."""
        asked, part = self._options.workers, self._options.part
        # What an inventory has is known when it is loaded: until then, it is worth all that are asked for.
        left = self.left if self._begun or part != INVENTORY else asked or 0
        worth = FEW if part == PROGRAMS else WORTH_A_WORKER
        return left > worth * workers if asked is None else workers < min(asked, left)

    def feed(self, worker: WorkerState, workers: int) -> None:
        """Give cells to a worker that has few."""
        # Half of an even share: towards the end batches get smaller, so that no worker is left with a long one.
        size = max(1, min(self._batch, self.left // (2 * workers)))
        if self.left and worker.takes_cells and len(worker.cells) < min(size, FEW):
            cells = [self._next() for _ in range(size)]
            if self._options.part in LAWS:
                self._complete(cells)
            self.left -= len(cells)
            self.give(worker, cells)

    def _next(self) -> str:
        """The next cell, of those that were given back before all others; empty if none is left."""
        return self._returned.popleft() if self._returned else next(self._cells, "")

    def _complete(self, cells: list[str]) -> None:
        """Add the cells that follow on the operation of the last."""
        operation = cells[-1].partition("[")[2]
        while (cell := self._next()).endswith(f"[{operation}"):
            cells.append(cell)
        if cell:
            self._returned.appendleft(cell)

    def give(self, worker: WorkerState, cells: Sequence[str]) -> None:
        """Give these cells to a worker, with the signatures that are to be counted only."""
        worker.give(cells, self._recorder.signatures)

    def inquiry(self, death: DeathRecord) -> Inquiry:
        """Find the cell that ended a worker, or whether a program ends its process again."""
        if self._options.part == PROGRAMS:
            return inquire_program(death, self._records_of_death)
        return inquire(death)

    def _records_of_death(self, row: ResultRecord) -> Settled:
        """The finding of a program that ended its process, and its tally."""
        kind, _, seed = row.id.partition(":")
        # Drawn from the seed, and not run: the recording process loads no engine.
        batches = importlib.import_module(self._options.batches)
        finding = batches.finding_of(kind, int(seed), row.verdict, row.message)
        return [finding, TallyRecord(kind, int(seed), int(seed) + 1, 1, 1, 0, {finding.signature: 1}, 0.0)]

    def close(self) -> None:
        """Forget what is left."""
        self.left, self._cells = 0, iter(())
        self._returned.clear()
