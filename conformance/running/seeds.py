"""Seeds of a run of generated programs that are left, and how they are given to workers: a second or two at a time."""

from __future__ import annotations

import importlib
from collections import Counter, deque
from typing import Protocol

from conformance.results import DeathRecord, ResultRecord, ResultsError, TallyRecord
from conformance.running.crashes import Inquiry, Settled, Try, inquire_program
from conformance.running.exchange import Done, Ready, Tallied
from conformance.running.options import Options
from conformance.running.systems import cores
from conformance.running.worker_state import WorkerState
from conformance.tallies import SeedRange

# Seconds that a range takes: an interruption loses no more, and a worker is seldom idle.
RANGE_S = 1.5
FIRST_SIZE, LARGEST_SIZE, GROWTH = 8, 5000, 4
# How often a range is given again whose worker was lost, or ended before its first program.
LOSSES = 3


class SeedRecorder(Protocol):
    """The interface of a recorder to the work."""

    signatures: tuple[str, ...]

    def missing(self) -> list[SeedRange]:
        """The ranges that are still to be run."""


class SeedWork:
    """The seeds that no worker has."""

    def __init__(self, options: Options, recorder: SeedRecorder) -> None:
        self._options, self._recorder = options, recorder
        self._pending: deque[SeedRange] = deque()
        self._sizes: dict[str, int] = {}
        self._losses: Counter[SeedRange] = Counter()

    def add(self, seeds: SeedRange) -> None:
        """Take a range that is to be given to a single worker as it is."""
        self._pending.append(seeds)
        self._sizes[seeds.kind] = max(self._sizes.get(seeds.kind, 0), seeds.size)

    @property
    def left(self) -> bool:
        """Whether there are any."""
        return bool(self._pending)

    def begin(self, ready: Ready) -> list[Inquiry]:
        """Take the seeds that the results lack."""
        self._pending = deque(self._recorder.missing())
        return []

    def gains_from_worker(self, workers: int) -> bool:
        """Whether a further worker would find a range of the first size."""
        left = sum(seeds.size for seeds in self._pending)
        return workers < (self._options.workers or cores()) and left > FIRST_SIZE * workers

    def feed(self, worker: WorkerState, workers: int) -> None:
        """Give a worker without a range the next seeds, as many as take a second or two."""
        if not self._pending or worker.busy:
            return
        seeds = self._pending.popleft()
        last = min(seeds.last, seeds.first + self._sizes.get(seeds.kind, FIRST_SIZE))
        if last < seeds.last:
            self._pending.appendleft(SeedRange(seeds.kind, last, seeds.last))
        worker.give_seeds(SeedRange(seeds.kind, seeds.first, last), self._recorder.signatures)

    def settle(self, done: Done | Tallied) -> Settled:
        """The findings and the tally of a range. Let the next one take a second or two."""
        assert isinstance(done, Tallied)
        tally, size = done.tally, self._sizes.get(done.tally.programs_of, FIRST_SIZE)
        # Not of a program that was tried alone.
        if tally.programs > 1 or size == 1:
            # Growth is bounded, as a short range may have been quick by chance.
            fitting = int(RANGE_S * tally.programs / tally.seconds) if tally.seconds else LARGEST_SIZE
            self._sizes[tally.programs_of] = max(1, min(fitting, max(GROWTH * tally.programs, size), LARGEST_SIZE))
        return [*done.findings, tally]

    def give_alone(self, worker: WorkerState, wanted: Try) -> None:
        """Give a worker a single program."""
        kind, _, seed = wanted.cell.partition(":")
        worker.give_seeds(SeedRange(kind, int(seed), int(seed) + 1), self._recorder.signatures)

    def give_back(self, worker: WorkerState) -> None:
        """Take back a worker's range, but for the program that it is in.

        Raises ResultsError if the range was lost too often.
        """
        if (seeds := worker.seeds) is None:
            return
        if not worker.cell:
            self._losses[seeds] += 1
            if self._losses[seeds] > LOSSES:
                place = f"{seeds.kind} {seeds.first}:{seeds.last}"
                raise ResultsError(f"workers were lost again and again in {place}; continue with --resume")
            self._pending.appendleft(seeds)  # no program was begun: none is suspected
            return
        seed = int(worker.cell.rpartition(":")[2])
        # Those before it were run, but their tally is lost with the process.
        parts = (SeedRange(seeds.kind, seed + 1, seeds.last), SeedRange(seeds.kind, seeds.first, seed))
        self._pending.extendleft(part for part in parts if part.size)

    def inquiry(self, death: DeathRecord) -> Inquiry:
        """Find whether the program ends its process again."""
        return inquire_program(death, self._records)

    def _records(self, row: ResultRecord) -> Settled:
        """The finding of a program that ended its process, and its tally."""
        kind, _, seed = row.id.partition(":")
        # Drawn from the seed, and not run: the recording process loads no engine.
        batches = importlib.import_module(self._options.batches)
        finding = batches.finding_of(kind, int(seed), row.verdict, row.message)
        seen = {finding.signature: 1}
        return [finding, TallyRecord(kind, int(seed), int(seed) + 1, 1, 1, 0, seen, 0.0)]

    def close(self) -> None:
        """Forget what is left."""
        self._pending.clear()
