"""One engine in a run: its processes, the cells that are left, and the results file, which is written line by line."""

from __future__ import annotations

import contextlib
import queue
import random
import shutil
import time
from collections import deque
from dataclasses import dataclass, field

import msgspec

from conformance import describe, known_failures
from conformance.results import (
    Footer,
    Header,
    Record,
    ResultRecord,
    ResultsError,
    WorkerDeath,
    append,
    file_name,
)
from conformance.running import resuming, systems
from conformance.running.deaths import LINGER_S, Inquiry, Tried, Try, inquire, only
from conformance.running.exchange import Done, Message, Ready, Silent, Unusable
from conformance.running.header import header
from conformance.running.options import Options
from conformance.running.processes import FORGED, Event, Process, Run, Start
from conformance.verdicts import Outcome, Verdict

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
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    fresh: list[ResultRecord] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    _lone: dict[Process, Lone] = field(default_factory=dict)
    _waiting: deque[tuple[Inquiry, Try]] = field(default_factory=deque)
    _known: list[known_failures.KnownFailure] = field(default_factory=list)
    _ready: Ready | None = None
    _failed_starts: int = 0

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self.partial = self.options.output / "results" / f"{file_name(self.spec)}.partial"
        self.results, self.log = self.partial.with_suffix(""), self.partial.with_suffix(".log")
        self.log.unlink(missing_ok=True)
        if not self.options.resume:
            self.partial.unlink(missing_ok=True)
        elif not self.partial.exists() and self.results.exists():
            # This engine had finished when the others were interrupted.
            shutil.copyfile(self.results, self.partial)
        self._before = resuming.earlier(self.partial)
        cells = resuming.pending(self._before, self.options.cells)
        if self.options.seed is not None:
            random.Random(self.options.seed).shuffle(cells)
        self.pending = deque(cells)
        self._stream = self.partial.open("a", encoding="utf-8")
        self._start = Start(self.spec, self.options.chapters, self.log, self.run, self.events)

    # What is to be started.

    @property
    def workers(self) -> list[Process]:
        """The processes that run cells one after the other, but for those that linger."""
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
        if self.over or not self.pending:
            return False
        return len(self.pending) > WORTH_A_WORKER * count if asked is None else count < min(asked, len(self.pending))

    def start(self) -> None:
        """Start a worker."""
        archive = self.options.cache and self.options.cache / self.results.with_suffix(".zip").name
        self.processes.append(Process(self._start, archive))

    def start_lone(self) -> None:
        """Start a process for the cell that waits longest to be tried alone."""
        self.processes.append(Process(self._start))
        self._lone[self.processes[-1]] = Lone(*self._waiting.popleft())

    # What processes say.

    def take(self, process: Process, message: Message | str | None) -> None:
        """Take a message of a process of this run, or the end of its pipe."""
        if process.ended:
            return
        if message is None:
            self._dies(process, Verdict.CRASH, "")
            return
        if isinstance(message, str) or not process.expects(message):
            self._dies(process, Verdict.ERROR, FORGED)
            return
        interrupted = isinstance(message, Done) and not process.cell
        process.take(message)
        if isinstance(message, Unusable):
            self.fail(message.message)
        elif isinstance(message, Ready):
            self._take_ready(process, message)
        elif isinstance(message, Done) and interrupted:
            self._dies(process, Verdict.ERROR, message.row.message)
        elif isinstance(message, Done):
            self._take_row(process, message)
        elif isinstance(message, Silent):
            self._take_silent(process)

    def watch(self) -> None:
        """End the processes that exceed a limit, and give cells to those that have few."""
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
        if not self.over:
            self._failed_starts = 0
            if lone := self._lone.get(process):
                process.give([lone.wanted.cell])

    def _begin(self, ready: Ready) -> None:
        """Write what comes before the first cell, or compare it with what an interrupted run wrote."""
        head = header(self.spec, ready, self.options, len(self.options.cells))
        try:
            known = known_failures.file_for(ready.name, ready.known_failures)
            self._known = known_failures.load(known, ready.version)
            if self._before:
                resuming.check_same_run(self.partial, self._before.header, head)
        except (known_failures.KnownFailureError, ResultsError) as error:
            self.fail(str(error))
            return
        self._ready, self.selected = ready, len(self.options.cells)
        if self._before:
            self.outcomes = {row.id: row.outcome for row in self._before.results.values()}
        else:
            self._write_head(head)
        # They would only cost a worker, and be tried alone after it.
        deadly = {one.behaviour for one in self._known if one.verdict in (Verdict.CRASH, Verdict.TIMEOUT)}
        for cell in [cell for cell in self.pending if deadly & {cell, cell.partition("[")[0]}]:
            self.pending.remove(cell)
            self._go_on(only(cell))

    def _write_head(self, head: Header) -> None:
        self._write(head)
        chosen = set(self.options.cells)
        for behaviour in self.options.behaviours:
            record = describe.behaviour_record(behaviour, chosen)
            if record.cells:
                self._write(record)

    def _take_row(self, process: Process, done: Done) -> None:
        if lone := self._lone.get(process):
            lone.row = done.row
            if lone.wanted.linger_s:
                process.linger(lone.wanted.linger_s)
            else:
                self._conclude(process, Tried(done.row))
            return
        self._settle(done.row)
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
        death = WorkerDeath(cell or process.last, process.name, verdict, message, process.last)
        self._end(process)
        self._write(death)
        self._go_on(inquire(death))

    def _failed_start(self, process: Process, verdict: Verdict, message: str) -> None:
        late = verdict is Verdict.TIMEOUT
        why = f"no progress for {self.options.limits.start_s:g} s" if late else message
        said = f"loading it failed: {why}, before any behaviour began; see {self.log}"
        self._failed_starts += 1
        if self._ready is None or self._failed_starts > MOST_FAILED_STARTS:
            self.fail(said)
        elif lone := self._lone.get(process):
            row = ResultRecord(lone.wanted.cell, Verdict.ERROR, None, f"it could not be tried alone: {why}", 0.0)
            self._conclude(process, Tried(row))
        else:
            self._end(process)

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
                self._settle(row)
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

    # Results.

    def _settle(self, row: ResultRecord) -> None:
        """Write the row of a cell, with its known failure; it replaces an earlier row."""
        known = known_failures.find(self._known, row.id, row.outcome)
        row = msgspec.structs.replace(row, known=known, replaces=row.id in self.outcomes)
        self.outcomes[row.id] = row.outcome
        self.fresh.append(row)
        self._write(row)

    def _write(self, record: Record) -> None:
        if self.over:  # an earlier line could not be written
            return
        try:
            append(self._stream, record)
        except OSError as error:
            self.fail(f"{self.partial}: cannot be written: {error.strerror}; make room and run again with --resume")

    def _finish(self) -> None:
        stale = known_failures.stale(self._known, self.outcomes, self.options.complete)
        self._write(Footer(round(time.monotonic() - self._began, 3), stale))
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
        self.processes.clear()
        self._lone.clear()
        self._waiting.clear()
        self.pending.clear()
        with contextlib.suppress(OSError):  # _write has reported it
            self._stream.close()


def _unlike(before: Ready, now: Ready) -> str:
    """What an adapter says otherwise in a second process, as a sentence; empty if nothing."""
    for name in before.__struct_fields__:
        was, is_ = getattr(before, name), getattr(now, name)
        if was != is_:
            return f"its adapter's {name} was {was!r} in one process, and is {is_!r} in another: say the same in each"
    return ""
