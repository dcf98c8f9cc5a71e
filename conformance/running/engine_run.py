"""One engine in a run: its workers, the work that is left, and the deaths that are inquired into."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from conformance.known_failures import KnownFailureError
from conformance.results import PROGRAMS, DeathRecord, ResultRecord, ResultsError
from conformance.results_file import file_name
from conformance.running.crashes import LINGER_S, Inquiry, Settled, Tried, Try
from conformance.running.exchange import Begun, Done, Ended, Failed, Forked, Message, Ready, Silent, Unusable
from conformance.running.processes import EXIT_S, FORGED
from conformance.running.recorder import Recording
from conformance.running.start import Start
from conformance.running.work import Work
from conformance.running.worker_state import WorkerState
from conformance.verdicts import Verdict

# The number of workers in a row that die before they begin on a cell.
MOST_FAILED_STARTS = 3

StartWorker = Callable[[Start, Path | None], WorkerState]


@dataclass
class Lone:
    """A worker that tries a cell alone for an inquiry."""

    inquiry: Inquiry
    wanted: Try
    records: Settled = field(default_factory=list)


class EngineRun:
    """Work and workers of an engine. `failure` is the reason of an end without a result."""

    def __init__(self, start: Start, recorder: Recording, work: Work, start_worker: StartWorker) -> None:
        self.spec, self.options, self.recorder = start.engine, start.options, recorder
        self.failure = ""
        self.over = False
        self.selected = 0
        self.processes: list[WorkerState] = []
        self._start, self._start_worker, self._work = start, start_worker, work
        self._lone: dict[WorkerState, Lone] = {}
        self._waiting: deque[tuple[Inquiry, Try]] = deque()
        self.ready: Ready | None = None
        self._failed_starts = 0

    # Starts of workers.

    @property
    def workers(self) -> list[WorkerState]:
        """The processes that run cells in their order; the others try a cell alone, and are ended."""
        return [process for process in self.processes if process.forks or process not in self._lone]

    @property
    def busy(self) -> int:
        """Number of processes that have something to do."""
        return sum(process.busy or process.until is not None for process in self.processes)

    @property
    def idle(self) -> bool:
        """Whether the engine is there, and nothing is left to do."""
        return self.ready is not None and not (self.over or self._work.left or self._waiting or self.busy)

    def needs_worker(self) -> bool:
        """Whether nothing goes on without a process."""
        return not self.over and not self.workers and (self.ready is None or self._work.left > 0)

    def needs_lone(self) -> bool:
        """Whether a cell waits to be tried alone, and no fresh fork is there for it."""
        return len(self._waiting) > sum(process.renewed for process in self.processes if process not in self._lone)

    def gains_from_worker(self) -> bool:
        """Whether a further worker is asked for, or worth its start."""
        return not self.over and self._work.gains_from_worker(len(self.workers))

    def start(self) -> None:
        """Start a worker."""
        # The columns of an engine have it in common: their programs are the same but for what is traced around them.
        name = Path(file_name(self.spec.partition(":")[0])).with_suffix(".zip")
        archive = self.options.cache and self.options.cache / name
        self.processes.append(self._start_worker(self._start, archive))

    def start_lone(self) -> None:
        """Start a process for the cell that waits longest to be tried alone."""
        self.processes.append(self._start_worker(self._start, None))
        self._lone[self.processes[-1]] = Lone(*self._waiting.popleft())

    # Messages of workers.

    def take(self, process: WorkerState, message: Message | str | None) -> None:
        """Take a message of a process of this run, or the end of its pipe."""
        if not process.ended:
            with self._failing():
                self._take(process, message)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """End without a result where results cannot be written, or known failures cannot be read."""
        try:
            yield
        except (KnownFailureError, ResultsError) as error:
            self.fail(str(error))

    def _take(self, process: WorkerState, message: Message | str | None) -> None:
        if process.renewing and not isinstance(message, Ended | Forked | None):
            return  # sent before the fork was killed
        if message is None or isinstance(message, str) or not process.expects(message):
            self._dies(process, *((Verdict.CRASH, "") if message is None else (Verdict.ERROR, FORGED)))
            return
        # Before the state forgets what it was at.
        if isinstance(message, Ended) and not process.renewing:
            self._dies(process, Verdict.CRASH, process.how_it_ended(message.status), fork_ended=True)
        # A thread that a cell left behind has raised an error in the worker itself.
        interrupted = isinstance(message, Done) and not process.cell and message.id == process.last
        process.take(message)
        if isinstance(message, Unusable):
            self.fail(message.message)
        elif isinstance(message, Ready):
            self._take_ready(message)
        elif isinstance(message, Begun):
            self._failed_starts = 0
        elif isinstance(message, Done) and interrupted:
            self._dies(process, Verdict.ERROR, Tried(message.records).row.message)
        elif isinstance(message, Failed):
            self._dies(process, Verdict.ERROR, message.message)
        elif isinstance(message, Done):
            self._take_done(process, message)
        elif isinstance(message, Silent):
            self._take_silent(process)

    def watch(self) -> None:
        """End the processes that exceed a limit, and give work to those that have little."""
        with self._failing():
            self._watch()

    def _watch(self) -> None:
        for process in list(self.processes):
            process.ask_if_due()
            if exceeded := process.exceeded(self.options.limits):
                self._dies(process, *exceeded)
        for process in list(self.processes):
            if process.ready and not process.ended:
                self._feed(process)
        if self.idle:
            self.finish()

    def _feed(self, process: WorkerState) -> None:
        """Give work to a process: a single cell, if it is to try that alone."""
        # The fork that came after a death is as fresh as a process, and sooner there.
        if process not in self._lone and process.renewed and not process.busy and self._waiting:
            self._lone[process] = Lone(*self._waiting.popleft())
        if lone := self._lone.get(process):
            if process.fresh and not process.busy:
                self._work.give(process, [lone.wanted.cell])
        else:
            self._work.feed(process, len(self.workers))

    def _take_ready(self, ready: Ready) -> None:
        if self.ready is None:
            self.recorder.begin(ready)
            self.ready, self.selected = ready, self.recorder.selected
            for inquiry in self._work.begin():
                self._go_on(inquiry)
        elif problem := _unlike(self.ready, ready):
            self.fail(problem)

    def _take_done(self, process: WorkerState, done: Done) -> None:
        if lone := self._lone.get(process):
            lone.records = done.records
            if lone.wanted.linger_s:
                process.linger(lone.wanted.linger_s)
            else:
                self._conclude(process, Tried(done.records))
            return
        self.recorder.settle(done.records)
        if done.tainted:
            process.renew()
            self._release(process)
        elif done.left:
            self._take_back(process)
            process.linger(LINGER_S)

    def _take_silent(self, process: WorkerState) -> None:
        """A process that lingered still works: what its last cell left behind did no harm."""
        lone = self._lone.get(process)
        if lone and lone.records:
            self._conclude(process, Tried(lone.records))
        else:
            self._release(process)

    # Deaths.

    def _dies(self, process: WorkerState, verdict: Verdict, message: str, fork_ended: bool = False) -> None:
        """A process, or its fork, has ended, or is ended here. Without a message its exit status is the reason."""
        cell, lone, renewing = process.cell, self._lone.get(process), process.renewing
        # A damaged pipe is of no more use.
        lives = fork_ended or (message not in ("", FORGED) and not renewing and process.renew())
        if not lives:
            status = process.end(0.0 if message else EXIT_S)
            message = message or process.how_it_ended(status)
        # A timeout between two cells, or at the start, is no timeout of a cell.
        # A program before it is done with, and another that was not begun is given anew.
        begun = cell or (self.options.part != PROGRAMS and (process.last or lone))
        if not process.ready or renewing or not begun:
            self._failed_start(process, verdict, message)
        elif lone:
            self._lone_dies(process, lone, verdict, message if cell else f"after it: {message}")
        else:
            death = DeathRecord(cell or process.last, process.name, verdict, message, process.last)
            self._release(process)
            self.recorder.note(death)
            self._go_on(self._work.inquiry(death))

    def _failed_start(self, process: WorkerState, verdict: Verdict, message: str) -> None:
        late = verdict is Verdict.TIMEOUT
        why = f"no progress for {self.options.limits.start_s:g} s" if late else message
        self._failed_starts += 1
        # Of programs, a start costs little beside a campaign that goes on for hours.
        patient = self.ready is not None or (self.options.part == PROGRAMS and not late)
        if not patient or self._failed_starts > MOST_FAILED_STARTS:
            self.fail(f"loading it failed: {why}, before any behaviour began; see {self.recorder.log}")
        else:
            lone = self._lone.get(process)
            self._release(process)
            if lone:
                self._waiting.append((lone.inquiry, lone.wanted))

    def _lone_dies(self, process: WorkerState, lone: Lone, verdict: Verdict, message: str) -> None:
        took = Tried(lone.records).row.duration_s if lone.records else round(time.monotonic() - process.since, 6)
        self._conclude(process, Tried([ResultRecord(lone.wanted.cell, verdict, None, message, took)], died=True))

    def _conclude(self, process: WorkerState, tried: Tried) -> None:
        lone = self._lone[process]
        self._release(process)
        self._go_on(lone.inquiry, tried)

    def _go_on(self, inquiry: Inquiry, tried: Tried | None = None) -> None:
        """Take an inquiry to its next try, or write what came of it."""
        try:
            wanted = inquiry.send(tried) if tried else next(inquiry)
        except StopIteration as end:
            self.recorder.settle(end.value)
        else:
            self._waiting.append((inquiry, wanted))

    def _release(self, process: WorkerState) -> None:
        """Take back what a process has not done, and end it, unless it goes on with another fork."""
        if not self._lone.pop(process, None):
            self._take_back(process)
        process.clear()
        if process.ended or not process.forks:
            process.end()
            self.processes.remove(process)

    def _take_back(self, process: WorkerState) -> None:
        """Take back the cells that a process has not begun."""
        self._work.give_back([cell for cell in process.cells if cell != process.cell])
        process.clear()

    # The end.

    def finish(self) -> None:
        """End with a result."""
        self.recorder.finish()
        for process in self.processes:
            process.end(unharmed=True)
        self.close()

    def fail(self, why: str) -> None:
        """End without a result. What was written stays, for --resume."""
        self.failure = self.failure or why
        self.close()

    def close(self) -> None:
        """End the processes, and close the file."""
        self.over = True
        for process in self.processes:
            process.end()
        for held in (self.processes, self._lone, self._waiting):
            held.clear()
        self._work.close()
        self.recorder.close()


def _unlike(before: Ready, now: Ready) -> str:
    """The first difference between what an adapter declares in two processes, as a sentence; empty if none."""
    for name in before.__struct_fields__:
        was, is_ = getattr(before, name), getattr(now, name)
        if was != is_:
            return f"its adapter's {name} was {was!r} in one process, and is {is_!r} in another: say the same in each"
    return ""
