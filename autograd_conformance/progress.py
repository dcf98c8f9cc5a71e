"""Progress of each engine's run, on standard error: bars on a terminal, with -v also lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograd_conformance.options import Verbosity
from autograd_conformance.terminal import console, print_line, text
from conformance.running.engine_run import EngineRun

__all__ = ["progress"]

Show = Callable[[EngineRun], None]


@contextmanager
def progress(specs: Sequence[str], verbosity: Verbosity) -> Iterator[Show]:
    """Yield the function to call whenever a run may have advanced."""
    stderr = console(stderr=True)
    print_steps = _line_printer(stderr) if verbosity is Verbosity.VERBOSE else None
    # A log cannot show a moving bar, and there standard error is for errors.
    bars = _bars(stderr) if verbosity is not Verbosity.QUIET and sys.stderr.isatty() else None
    with bars or nullcontext():
        # The total comes with the header of the results; until then the bar moves to and fro.
        tasks = {spec: bars.add_task(text(spec).markup, total=None) for spec in specs} if bars else {}

        def show(run: EngineRun) -> None:
            if print_steps:
                print_steps(run)
            if bars:
                bars.update(tasks[run.spec], completed=len(run.recorder.outcomes), total=run.selected or None)
            # Also where nothing was printed, so that no results pile up.
            run.recorder.fresh.clear()

        yield show


def _bars(stderr: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=stderr)


def _line_printer(stderr: Console) -> Show:
    """A printer of lines: when an engine begins, for each cell, and when it ends."""
    began: dict[str, float] = {}
    ended: set[str] = set()

    def print_steps(run: EngineRun) -> None:
        if run.selected and run.spec not in began:
            began[run.spec] = time.monotonic()
            print_line(stderr, f"{run.spec}: {run.selected:,} cells to run")
        for record in run.recorder.fresh:
            print_line(stderr, f"{run.spec} {record.verdict.value} {record.id}")
        if run.spec in began and run.over and run.spec not in ended:
            ended.add(run.spec)
            took = time.monotonic() - began[run.spec]
            print_line(stderr, f"{run.spec}: {len(run.recorder.outcomes):,} of {run.selected:,} cells, {took:.0f} s")

    return print_steps
