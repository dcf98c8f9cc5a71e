"""How far each engine has come, on standard error: bars on a terminal, lines where they are asked for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from autograd_conformance.engine_runs import EngineRun
from autograd_conformance.options import Verbosity
from autograd_conformance.terminal import console, text

__all__ = ["progress"]

Tell = Callable[[EngineRun], None]


@contextmanager
def progress(specs: Sequence[str], verbosity: Verbosity) -> Iterator[Tell]:
    """Yields the function to call at each step. With -v, there is a line for every engine and cell.

    Without a terminal there is nothing else: a log cannot show a moving bar.
    """
    shown = console(stderr=True)
    tellers = [_lines(shown), _cells(shown)] if verbosity is Verbosity.VERBOSE else []
    if verbosity is Verbosity.QUIET or not sys.stderr.isatty():
        yield _all(tellers)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=shown) as bars:
        yield _all([*tellers, _bars(bars, specs)])


def _all(tellers: Sequence[Tell]) -> Tell:
    def tell(run: EngineRun) -> None:
        for one in tellers:
            one(run)
        run.fresh.clear()

    return tell


def _bars(bars: Progress, specs: Sequence[str]) -> Tell:
    tasks: dict[str, TaskID] = {spec: bars.add_task(text(spec).markup, total=None) for spec in specs}
    return lambda run: bars.update(tasks[run.spec], completed=len(run.done), total=run.selected or None)


def _lines(shown: Console) -> Tell:
    """When an engine begins, and when it ends."""
    began: dict[str, float] = {}
    ended: set[str] = set()

    def tell(run: EngineRun) -> None:
        if run.selected and run.spec not in began:
            began[run.spec] = time.monotonic()
            shown.print(text(f"{run.spec}: {run.selected:,} cells to run"), soft_wrap=True)
        if run.spec in began and run.process.poll() is not None and run.spec not in ended:
            ended.add(run.spec)
            took = time.monotonic() - began[run.spec]
            shown.print(text(f"{run.spec}: {len(run.done):,} of {run.selected:,} cells, {took:.0f} s"), soft_wrap=True)

    return tell


def _cells(shown: Console) -> Tell:
    def tell(run: EngineRun) -> None:
        for record in run.fresh:
            shown.print(text(f"{run.spec} {record.verdict.value} {record.id}"), soft_wrap=True)

    return tell
