"""Cells of a run that are left, and how they are given to workers: in batches that share them evenly."""

from __future__ import annotations

from collections import deque

from conformance.operations.inventory import INVENTORY
from conformance.results import DeathRecord
from conformance.running.crashes import Inquiry, Settled, Try, inquire, only
from conformance.running.exchange import Done, Ready, Tallied
from conformance.running.options import Options
from conformance.running.recorder import Recorder
from conformance.running.worker_state import WorkerState

# Cells that a worker is given at once, and the number below which it is given more.
BATCH, FEW = 32, 8
# A further worker imports the engine again, which these cells must be worth.
WORTH_A_WORKER = 200


class CellWork:
    """The cells that no worker has. `recorder` knows which they are, once the engine is there."""

    def __init__(self, options: Options, recorder: Recorder) -> None:
        self._options, self._recorder = options, recorder
        self._pending = deque(recorder.cells)
        self._begun = False

    @property
    def left(self) -> bool:
        """Whether there are any."""
        return bool(self._pending)

    def begin(self, ready: Ready) -> list[Inquiry]:
        """Take the cells of the run; those that are known to end their process are tried alone."""
        self._begun = True
        deadly = [cell for cell in self._recorder.cells if self._recorder.known_to_die(cell)]
        # They would only cost a worker, and be tried alone after it.
        self._pending = deque(cell for cell in self._recorder.cells if cell not in set(deadly))
        return [only(cell) for cell in deadly]

    def gains_from_worker(self, workers: int) -> bool:
        """Whether a further worker is asked for, or worth its start."""
        asked = self._options.workers
        # What an inventory has is known when it is loaded: until then, it is worth all that are asked for.
        left = len(self._pending) if self._begun or self._options.part != INVENTORY else asked or 0
        return left > WORTH_A_WORKER * workers if asked is None else workers < min(asked, left)

    def feed(self, worker: WorkerState, workers: int) -> None:
        """Give cells to a worker that has few."""
        if worker.until is None and not worker.asked and len(worker.cells) < FEW:
            # Half of an even share: towards the end batches get smaller, so that no worker is left with a long one.
            size = max(1, min(BATCH, len(self._pending) // (2 * workers)))
            if cells := [self._pending.popleft() for _ in range(min(size, len(self._pending)))]:
                worker.give(cells)

    def settle(self, done: Done | Tallied) -> Settled:
        """The row of a cell."""
        assert isinstance(done, Done)
        return [done.row]

    def give_alone(self, worker: WorkerState, wanted: Try) -> None:
        """Give a worker a single cell."""
        worker.give([wanted.cell])

    def give_back(self, worker: WorkerState) -> None:
        """Take back the cells that a worker has not begun."""
        self._pending.extendleft(reversed([cell for cell in worker.cells if cell != worker.cell]))

    def inquiry(self, death: DeathRecord) -> Inquiry:
        """Find the cell that ended a worker."""
        return inquire(death)

    def close(self) -> None:
        """Forget what is left."""
        self._pending.clear()
