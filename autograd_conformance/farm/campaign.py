"""The campaign of one engine: seeds are shared out in batches of a second or two, and recorded as they come in."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

import msgspec

from autograd_conformance.farm.campaign_recording import CampaignRecording, Seeds
from autograd_conformance.farm.exchange import FarmError, Task
from autograd_conformance.farm.workers import POLL_S, FarmWorkers
from conformance.known_failures import KnownFailure
from conformance.programs.results import BatchRecord
from conformance.results import KnownRecord

__all__ = ["Advance", "Campaign"]

# Seconds that a batch takes: an interruption loses no more, and a worker is seldom idle.
BATCH_S = 1.5
FIRST_SIZE, LARGEST_SIZE, GROWTH = 8, 5000, 4
# How often seeds are given again whose worker has gone.
LOSSES = 3


@dataclass
class Advance:
    """How far a campaign is. `tried` programs of `wanted` are there, `before` of them from earlier."""

    engine: str
    wanted: int
    before: int
    tried: int
    new: set[str] = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Programs per second."""
        return (self.tried - self.before) / max(time.monotonic() - self.began, 1e-9)


class Campaign:
    """Programs on one engine. `like` is a task that has what all tasks share, `listed` are the known failures."""

    def __init__(
        self, like: Task, wanted: Sequence[Seeds], recording: CampaignRecording, listed: Sequence[KnownFailure]
    ) -> None:
        self._recording, self._listed = recording, listed
        self._todo = deque(recording.missing(wanted))
        # Not what was found so far: of two signatures that explain a program, the one that is told would then depend on
        # the order.
        known = tuple(sorted({entry.cell for entry in listed}))
        self._like = msgspec.structs.replace(like, known=known)
        self._sizes: dict[str, int] = {}
        total = sum(one.last - one.first for one in wanted)
        before = total - sum(one.last - one.first for one in self._todo)
        self.advance = Advance(like.engine, total, before, before)
        for batch in recording.batches:
            self._learn(batch)

    def run(self, workers: FarmWorkers, take_signal: Callable[[], None], show: Callable[[Advance], None]) -> None:
        """Try what is missing. Raises FarmError, ResultsError, and what a signal raises; what is done is recorded."""
        underway: dict[Future[BatchRecord], Task] = {}
        losses: dict[int, int] = {}
        while self._todo or underway:
            take_signal()
            workers.check()
            # One for each worker to go on with.
            while self._todo and len(underway) < 2 * workers.capacity:
                task = self._next()
                underway[workers.submit(task)] = task
            for future in wait(underway, POLL_S, FIRST_COMPLETED).done:
                self._take(future, underway.pop(future), workers, losses)
            show(self.advance)

    def _next(self) -> Task:
        """The next seeds, as many as take a second or two."""
        seeds = self._todo.popleft()
        last = min(seeds.last, seeds.first + self._sizes.get(seeds.kind, FIRST_SIZE))
        if last < seeds.last:
            self._todo.appendleft(msgspec.structs.replace(seeds, first=last))
        return msgspec.structs.replace(self._like, kind=seeds.kind, first=seeds.first, last=last)

    def _take(self, future: Future[BatchRecord], task: Task, workers: FarmWorkers, losses: dict[int, int]) -> None:
        try:
            batch = future.result()
        except BaseException as error:
            if not workers.is_lost(error):
                raise
            losses[task.first] = losses.get(task.first, 0) + 1
            if losses[task.first] > LOSSES:
                raise FarmError(f"workers were lost again and again in {task.kind} {task.first}:{task.last}") from None
            self._todo.appendleft(Seeds(task.kind, task.first, task.last))
            return
        self._recording.add(batch)
        self.advance.tried += batch.last - batch.first
        self._learn(batch)
        if batch.programs:
            fitting = int(BATCH_S * batch.programs / max(batch.seconds, 1e-3))
            size = min(fitting, GROWTH * (task.last - task.first), LARGEST_SIZE)
            self._sizes[task.kind] = max(1, size)

    def _learn(self, batch: BatchRecord) -> None:
        self.advance.new |= {name for name in batch.seen if known_of(self._listed, name) is None}

    def known(self) -> dict[str, KnownRecord]:
        """The signatures that were seen and are known failures, with what is published of these."""
        seen = {name for batch in self._recording.batches for name in batch.seen}
        found = {name: known_of(self._listed, name) for name in seen}
        return {name: record for name, record in found.items() if record is not None}


def known_of(listed: Sequence[KnownFailure], signature: str) -> KnownRecord | None:
    """What is published of the known failure that lists a signature."""
    return next((one.record() for one in listed if one.concerns(signature)), None)
