"""How far a campaign is, on standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograd_conformance.farm.campaign import Advance
from autograd_conformance.options import Verbosity
from autograd_conformance.terminal import console, print_line, text

__all__ = ["campaign_progress"]

# Seconds between two lines of a log; with -v, every batch has one.
LINE_S = 30.0


@contextmanager
def campaign_progress(verbosity: Verbosity) -> Iterator[Callable[[Advance], None]]:
    """Yields the function to call whenever a campaign may have advanced."""
    shown = console(stderr=True)
    told = TextColumn("{task.fields[told]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), told, TimeRemainingColumn())
    on_terminal = sys.stderr.isatty() and verbosity is not Verbosity.QUIET
    bars = Progress(*columns, console=shown) if on_terminal else None
    tasks, lines = {}, _Lines(verbosity)
    with bars or nullcontext():

        def show(advance: Advance) -> None:
            if bars is None:
                for line in lines.due(advance):
                    print_line(shown, line)
                return
            if advance.engine not in tasks:
                tasks[advance.engine] = bars.add_task(text(advance.engine).markup, told="")
            said = f"{advance.rate:,.0f}/s, {_signatures(advance)}"
            bars.update(tasks[advance.engine], completed=advance.tried, total=advance.wanted, told=said)

        yield show


class _Lines:
    """Which lines are due where there is no terminal."""

    def __init__(self, verbosity: Verbosity) -> None:
        self._verbosity = verbosity
        self._last = time.monotonic()
        self._told = -1

    def due(self, advance: Advance) -> Iterator[str]:
        """The line, if there is one to print now."""
        interval = 0.0 if self._verbosity is Verbosity.VERBOSE else LINE_S
        if self._verbosity is Verbosity.QUIET or time.monotonic() - self._last < interval:
            return
        if advance.tried != self._told:
            self._last, self._told = time.monotonic(), advance.tried
            yield line_of(advance)


def line_of(advance: Advance) -> str:
    """How far a campaign is, in a line."""
    far = f"{advance.engine}: {advance.tried:,} of {advance.wanted:,} programs, {advance.rate:,.0f}/s"
    left = (advance.wanted - advance.tried) / advance.rate if advance.rate else None
    return f"{far}, {_signatures(advance)}" + (f", {_time(left)} left" if left else "")


def _signatures(advance: Advance) -> str:
    count = len(advance.new)
    return f"{count} new signature{'' if count == 1 else 's'}"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
