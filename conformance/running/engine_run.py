"""One engine in a run: its processes, the cells that are left, and the deaths that are inquired into."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from conformance import known_failures
from conformance.operations.inventory import INVENTORY
from conformance.results import DeathRecord, ResultRecord, ResultsError
from conformance.running import systems
from conformance.running.crashes import LINGER_S, Inquiry, Tried, Try, inquire, only
from conformance.running.exchange import Begun, Done, Message, Ready, Silent, Unusable
from conformance.running.options import Options
from conformance.running.processes import FORGED, Event, Process, Run, Start
from conformance.running.recorder import Recorder
from conformance.verdicts import Verdict

__all__ = ["EngineRun"]

# Workers that die, one after the other, before they begin on a cell.
MOST_FAILED_STARTS = 3
# Cells that a worker is given at once, and the number below which it is given more.
BATCH, FEW = 32, 8
# A further worker imports the engine again, which these cells must be worth.
WORTH_A_WORKER = 200
# What ended a process says so by its exit status, soon after its pipe has ended.
EXIT_S = 2.0
# What a process has said arrives soon after it has exited.
DRAIN_S = 0.5


@dataclass
class Lone:
    """A process that tries one cell alone for an inquiry."""

    inquiry: Inquiry
    wanted: Try
    row: ResultRecord | None = None


@dataclass(eq=False)
class EngineRun:
    """What an engine has still to do, and what it has done. `failure` says why it ended without a result."""

    spec: str
    options: Options
    run: Run
    events: queue.SimpleQueue[Event]
    failure: str = ""
    selected: int = 0
    over: bool = False
    processes: list[Process] = field(default_factory=list)
    _lone: dict[Process, Lone] = field(default_factory=dict)
    _waiting: deque[tuple[Inquiry, Try]] = field(default_factory=deque)
    _ready: Ready | None = None
    _failed_starts: int = 0

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.spec, self.options)
        self.pending = deque(self.recorder.cells)
        self._start = Start(self.spec, self.options, self.recorder.log, self.run, self.events)

    # What is to be started.

    @property
    def workers(self) -> list[Process]:
        """The processes that run cells one after the other; the others try one cell alone."""
        return [process for process in self.processes if process not in self._lone]

    @property
    def busy(self) -> int:
        """How many processes have something to do."""
        return sum(process.busy or process.until is not None for process in self.processes)

    def needs_worker(self) -> bool:
        """Whether nothing goes on without a process."""
        return not self.over and not self.workers and (self._ready is None or bool(self.pending))

    def needs_lone(self) -> bool:
        """Whether a cell waits to be tried alone."""
        return bool(self._waiting)

    def gains_from_worker(self) -> bool:
        """Whether one more worker is asked for, or worth its start."""
        count, asked = len(self.workers), self.options.workers
        # What an inventory has is known when it is loaded: until then, it is worth all that are asked for.
        left = len(self.pending) if self._ready or self.options.part != INVENTORY else asked or 0
        worth = left > WORTH_A_WORKER * count if asked is None else count < min(asked, left)
        return worth and not self.over

    def start(self) -> None:
        """Start a worker."""
        archive = self.options.cache and self.options.cache / self.recorder.results.with_suffix(".zip").name
        self.processes.append(Process(self._start, archive))

    def start_lone(self) -> None:
        """Start a process for the cell that waits longest to be tried alone."""
        self.processes.append(Process(self._start))
        self._lone[self.processes[-1]] = Lone(*self._waiting.popleft())

    # What processes say.

    def take(self, process: Process, message: Message | str | None) -> None:
        """Take a message of a process of this run, or the end of its pipe."""
        if not process.ended:
            with self._failing():
                self._take(process, message)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """End without a result where results cannot be written, or known failures cannot be read."""
        try:
            yield
        except (known_failures.KnownFailureError, ResultsError) as error:
            self.fail(str(error))

    def _take(self, process: Process, message: Message | str | None) -> None:
        if message is None or isinstance(message, str) or not process.expects(message):
            self._dies(process, *((Verdict.CRASH, "") if message is None else (Verdict.ERROR, FORGED)))
            return
        interrupted = isinstance(message, Done) and not process.cell
        process.take(message)
        if isinstance(message, Unusable):
            self.fail(message.message)
        elif isinstance(message, Ready):
            self._take_ready(process, message)
        elif isinstance(message, Begun):
            self._failed_starts = 0
        elif isinstance(message, Done) and interrupted:
            self._dies(process, Verdict.ERROR, message.row.message)
        elif isinstance(message, Done):
            self._take_row(process, message)
        elif isinstance(message, Silent):
            self._take_silent(process)

    def watch(self) -> None:
        """End the processes that exceed a limit, and give cells to those that have few."""
        with self._failing():
            self._watch()

    def _watch(self) -> None:
        limits = self.options.limits
        for process in list(self.processes):
            process.ask_if_due()
            if process.is_late(limits):
                self._dies(process, Verdict.TIMEOUT, limits.too_long)
            elif process.grew_too_much(limits):
                self._dies(process, Verdict.CRASH, limits.too_much)
            elif process.is_gone(DRAIN_S):
                self._dies(process, Verdict.CRASH, "")
        for process in self.workers:
            self._feed(process)
        if self._ready and not (self.over or self.pending or self._waiting or self.busy):
            self._finish()

    def _feed(self, process: Process) -> None:
        if process.ready and not process.asked and process.until is None and len(process.cells) < FEW:
            size = max(1, min(BATCH, len(self.pending) // (2 * len(self.workers))))
            if cells := [self.pending.popleft() for _ in range(min(size, len(self.pending)))]:
                process.give(cells)

    def _take_ready(self, process: Process, ready: Ready) -> None:
        if self._ready is None:
            self._begin(ready)
        elif problem := _unlike(self._ready, ready):
            self.fail(problem)
        lone = self._lone.get(process)
        if lone and not self.over:
            process.give([lone.wanted.cell])

    def _begin(self, ready: Ready) -> None:
        self.recorder.begin(ready)
        self._ready, self.selected, self.pending = ready, self.recorder.selected, deque(self.recorder.cells)
        # They would only cost a worker, and be tried alone after it.
        for cell in [cell for cell in self.pending if self.recorder.known_to_die(cell)]:
            self.pending.remove(cell)
            self._go_on(only(cell))

    def _take_row(self, process: Process, done: Done) -> None:
        if lone := self._lone.get(process):
            lone.row = done.row
            if lone.wanted.linger_s:
                process.linger(lone.wanted.linger_s)
            else:
                self._conclude(process, Tried(done.row))
            return
        self.recorder.settle(done.row)
        if done.tainted:
            self._end(process)
        elif done.left:
            self._give_back(process)
            process.linger(LINGER_S)

    def _take_silent(self, process: Process) -> None:
        """A process that lingered still works: what its last cell left behind did no harm."""
        lone = self._lone.get(process)
        if lone and lone.row:
            self._conclude(process, Tried(lone.row))
        else:
            self._end(process)

    # Deaths.

    def _dies(self, process: Process, verdict: Verdict, message: str) -> None:
        """A process has ended, or is ended here; `message` says why, unless its exit status is to say it."""
        cell = process.cell
        # A timeout between two cells is no timeout of a behaviour, and one at the start none of a cell.
        status = process.end(0.0 if message else EXIT_S)
        message = message or f"the process {systems.how_it_ended(status)}"
        if not process.ready or not (cell or process.last or process in self._lone):
            self._failed_start(process, verdict, message)
            return
        if process in self._lone:
            self._lone_dies(process, verdict, message if cell else f"after it: {message}")
            return
        death = DeathRecord(cell or process.last, process.name, verdict, message, process.last)
        self._end(process)
        self.recorder.note(death)
        self._go_on(inquire(death))

    def _failed_start(self, process: Process, verdict: Verdict, message: str) -> None:
        late = verdict is Verdict.TIMEOUT
        why = f"no progress for {self.options.limits.start_s:g} s" if late else message
        said = f"loading it failed: {why}, before any behaviour began; see {self.recorder.log}"
        self._failed_starts += 1
        if self._ready is None or self._failed_starts > MOST_FAILED_STARTS:
            self.fail(said)
        else:
            lone = self._lone.get(process)
            self._end(process)
            if lone:
                self._waiting.append((lone.inquiry, lone.wanted))

    def _lone_dies(self, process: Process, verdict: Verdict, message: str) -> None:
        lone = self._lone[process]
        took = lone.row.duration_s if lone.row else round(time.monotonic() - process.since, 6)
        self._conclude(process, Tried(ResultRecord(lone.wanted.cell, verdict, None, message, took), died=True))

    def _conclude(self, process: Process, tried: Tried) -> None:
        lone = self._lone[process]
        self._end(process)
        self._go_on(lone.inquiry, tried)

    def _go_on(self, inquiry: Inquiry, tried: Tried | None = None) -> None:
        """Take an inquiry to its next try, or write what came of it."""
        try:
            wanted = inquiry.send(tried) if tried else next(inquiry)
        except StopIteration as end:
            for row in end.value:
                self.recorder.settle(row)
        else:
            self._waiting.append((inquiry, wanted))

    def _end(self, process: Process) -> None:
        process.end()
        self._give_back(process)
        self._lone.pop(process, None)
        self.processes.remove(process)

    def _give_back(self, process: Process) -> None:
        """Take back the cells that a process has not begun."""
        if process not in self._lone:
            self.pending.extendleft(reversed([cell for cell in process.cells if cell != process.cell]))
        process.cells.clear()

    # The end.

    def _finish(self) -> None:
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
        for held in (self.processes, self._lone, self._waiting, self.pending):
            held.clear()
        self.recorder.close()


def _unlike(before: Ready, now: Ready) -> str:
    """What an adapter says otherwise in a second process, as a sentence; empty if nothing."""
    for name in before.__struct_fields__:
        was, is_ = getattr(before, name), getattr(now, name)
        if was != is_:
            return f"its adapter's {name} was {was!r} in one process, and is {is_!r} in another: say the same in each"
    return ""
