"""Progress of each engine's run on standard error: bars on a terminal, now and then a line in a log; more with -v."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograd_conformance.options import Verbosity
from autograd_conformance.terminal import console, print_line, text
from conformance.results import ResultRecord
from conformance.running.engine_run import EngineRun
from conformance.running.tally_recorder import TallyRecorder

Show = Callable[[EngineRun], None]
# Seconds between two lines of a run in a log.
LINE_S = 30.0


@dataclass(frozen=True)
class Advance:
    """Progress of a run: `done` of `wanted` cells, or programs with `new` signatures; `before` when it began."""

    engine: str
    wanted: int
    before: int
    done: int
    seconds: float
    new: int | None = None

    @property
    def speed(self) -> float:
        """Cells or programs per second."""
        # What an earlier run had done took none of these seconds; and the clock may not have moved yet.
        return (self.done - self.before) / max(self.seconds, 1e-9)

    @property
    def rate(self) -> str:
        """The speed, and the number of new signatures."""
        signatures = "" if self.new is None else f", {self.new} new signature{'' if self.new == 1 else 's'}"
        return f"{self.speed:,.0f}/s{signatures}"

    def __str__(self) -> str:
        what = "cells" if self.new is None else "programs"
        left = round((self.wanted - self.done) / self.speed) if self.speed else 0
        time_left = f", {left} s left" if 0 < left < 120 else f", {left / 60:.0f} min left" if left else ""
        return f"{self.engine}: {self.done:,} of {self.wanted:,} {what}, {self.rate}{time_left}"


@contextmanager
def progress(specs: Sequence[str], verbosity: Verbosity) -> Iterator[Show]:
    """Yields the function to call whenever a run may have advanced."""
    output = console(stderr=True)
    # A log cannot show a moving bar, and there standard error is for errors.
    bars = _bars(output) if verbosity is not Verbosity.QUIET and sys.stderr.isatty() else None
    began: dict[str, tuple[float, int]] = {}
    printed: dict[str, float] = {}
    with bars or nullcontext():
        # The total is known when the engine is there; until then the bar moves to and fro.
        tasks = {spec: bars.add_task(text(spec).markup, total=None, rate="") for spec in specs} if bars else {}

        def show(run: EngineRun) -> None:
            recorder, now = run.recorder, time.monotonic()
            # Also where nothing is printed, so that no results pile up.
            fresh, recorder.fresh = recorder.fresh, []
            if not run.selected:
                return
            start, before = began.setdefault(run.spec, (now, recorder.finished))
            new = len(recorder.new) if isinstance(recorder, TallyRecorder) else None
            advance = Advance(run.spec, run.selected, before, recorder.finished, now - start, new)
            if bars:
                bars.update(tasks[run.spec], completed=advance.done, total=advance.wanted, rate=advance.rate)
            late = now - printed.setdefault(run.spec, now) > LINE_S and not bars
            if verbosity is Verbosity.VERBOSE and new is None:
                for row in fresh:
                    if isinstance(row, ResultRecord):
                        print_line(output, f"{run.spec} {row.verdict.value} {row.id}")
            elif (verbosity is Verbosity.VERBOSE and fresh) or (verbosity is Verbosity.USUAL and late):
                printed[run.spec] = now
                print_line(output, str(advance))

        yield show


def _bars(output: Console) -> Progress:
    rate = TextColumn("{task.fields[rate]}")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), *columns, console=output)
