"""Progress of each engine's run on standard error: bars on a terminal; lines in a log of programs, and with -v."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograd_conformance.options import Verbosity
from autograd_conformance.terminal import console, print_line, text
from conformance.results import ResultRecord
from conformance.running.engine_run import EngineRun
from conformance.running.tally_recorder import TallyRecorder

Show = Callable[[EngineRun], None]
# Seconds between two lines of a campaign in a log; with -v, every range of seeds has one.
LINE_S = 30.0


@dataclass(frozen=True)
class Advance:
    """Progress of a campaign: `done` of `wanted` programs, `before` of them in an earlier run."""

    engine: str
    wanted: int
    before: int
    done: int
    seconds: float
    new: frozenset[str] = field(default_factory=frozenset)

    @property
    def rate(self) -> float:
        """Programs per second."""
        # What an earlier run had done took none of these seconds; and the clock may not have moved yet.
        return (self.done - self.before) / max(self.seconds, 1e-9)

    @property
    def signatures(self) -> str:
        """Number of new signatures, in words."""
        return f"{len(self.new)} new signature{'' if len(self.new) == 1 else 's'}"


@contextmanager
def progress(specs: Sequence[str], verbosity: Verbosity) -> Iterator[Show]:
    """Yields the function to call whenever a run may have advanced."""
    output = console(stderr=True)
    # A log cannot show a moving bar, and there standard error is for errors.
    bars = _bars(output) if verbosity is not Verbosity.QUIET and sys.stderr.isatty() else None
    lines = _Lines(output, verbosity, bars is not None)
    with bars or nullcontext():
        # The total is known when the engine is there; until then the bar moves to and fro.
        tasks = {spec: bars.add_task(text(spec).markup, total=None, rate="") for spec in specs} if bars else {}

        def show(run: EngineRun) -> None:
            lines.print(run)
            if bars:
                advance = lines.advance(run)
                rate = f"{advance.rate:,.0f}/s, {advance.signatures}" if advance else ""
                bars.update(tasks[run.spec], completed=run.recorder.finished, total=run.selected or None, rate=rate)
            # Also where nothing was printed, so that no results pile up.
            run.recorder.fresh.clear()

        yield show


def _bars(output: Console) -> Progress:
    rate = TextColumn("{task.fields[rate]}")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), *columns, console=output)


class _Lines:
    """Lines of a log: with -v for each cell or range of seeds; for programs without a terminal, now and then."""

    def __init__(self, output: Console, verbosity: Verbosity, on_terminal: bool) -> None:
        self._output, self._verbosity, self._on_terminal = output, verbosity, on_terminal
        self._began: dict[str, float] = {}
        self._last: dict[str, float] = {}
        self._ended: set[str] = set()

    def advance(self, run: EngineRun) -> Advance | None:
        """The progress of a campaign, once its engine is there."""
        recorder = run.recorder
        if not run.selected or not isinstance(recorder, TallyRecorder):
            return None
        seconds = time.monotonic() - self._began.setdefault(run.spec, time.monotonic())
        before, new = recorder.finished_before, frozenset(recorder.new)
        return Advance(run.spec, run.selected, before, recorder.finished, seconds, new)

    def print(self, run: EngineRun) -> None:
        """Print the lines that are due."""
        if advance := self.advance(run):
            self._print_campaign(run, advance)
        elif self._verbosity is Verbosity.VERBOSE:
            self._print_cells(run)

    def _print_campaign(self, run: EngineRun, advance: Advance) -> None:
        verbose = self._verbosity is Verbosity.VERBOSE and not self._on_terminal
        usual = self._verbosity is Verbosity.USUAL and not self._on_terminal
        late = time.monotonic() - self._last.setdefault(run.spec, time.monotonic()) > LINE_S
        if (verbose and run.recorder.fresh) or (usual and late):
            self._last[run.spec] = time.monotonic()
            print_line(self._output, line_of(advance))

    def _print_cells(self, run: EngineRun) -> None:
        """Print a line when an engine begins, one for each cell, and one when it ends."""
        # Not at the start: until the engine is loaded, the number of its cells is 0.
        if run.selected and run.spec not in self._began:
            self._began[run.spec] = time.monotonic()
            print_line(self._output, f"{run.spec}: {run.selected:,} cells to run")
        for record in run.recorder.fresh:
            if isinstance(record, ResultRecord):
                print_line(self._output, f"{run.spec} {record.verdict.value} {record.id}")
        if run.spec in self._began and run.over and run.spec not in self._ended:
            self._ended.add(run.spec)
            took = time.monotonic() - self._began[run.spec]
            done = f"{run.recorder.finished:,} of {run.selected:,} cells"
            print_line(self._output, f"{run.spec}: {done}, {took:.0f} s")


def line_of(advance: Advance) -> str:
    """The progress of a campaign in a line."""
    done = f"{advance.engine}: {advance.done:,} of {advance.wanted:,} programs, {advance.rate:,.0f}/s"
    left = (advance.wanted - advance.done) / advance.rate if advance.rate else None
    return f"{done}, {advance.signatures}" + (f", {_time(left)} left" if left else "")


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
