"""What the commands do. Imported only when one of them runs."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from autograd_conformance import display
from autograd_conformance.running import EngineRun, Failure, Options, finish, follow, occupied
from autograd_conformance.scripting import script
from autograd_conformance.selection import behaviours_of, cells_of, suite
from conformance.collecting import CHAPTERS
from conformance.engines import installed, parse
from conformance.results import ResultsFile, read
from reports.matrix import merge
from reports.unexpected import exit_status

__all__ = ["engines", "list_behaviours", "report", "run", "show"]


def run(
    engines: Sequence[str], behaviours: Sequence[str], quiet: bool, chapters: Path | None, output: Path, **options: Any
) -> int:
    """Run the engines, write the report, and say what is unexpected. Returns the exit status."""
    for engine in engines:
        parse(engine)
    cells = cells_of(behaviours, suite(chapters))
    chosen = Options(output, cells, chapters=(chapters or CHAPTERS).resolve(), **options)
    with occupied(output):
        return _conclude(_followed(engines, chosen, quiet), output, quiet)


def _followed(engines: Sequence[str], options: Options, quiet: bool) -> list[EngineRun]:
    unique = list(dict.fromkeys(engines))
    with display.progress(unique, quiet) as tell:
        return follow(unique, options, tell)


def _conclude(runs: Sequence[EngineRun], output: Path, quiet: bool) -> int:
    """Report what came to an end, even where another engine did not; that one is then the error of the call."""
    finished, failures = [], []
    for one in runs:
        try:
            finished.append(read(finish(one)))
        except Failure as failure:
            failures.append(failure)
    status = _reported(finished, output, quiet) if finished else 0
    if failures:
        raise Failure("; ".join(map(str, failures)))
    return status


def _reported(files: Sequence[ResultsFile], output: Path, quiet: bool, slowest: int = 0) -> int:
    from reports.write import write_all  # the template engine is of no use to the other commands

    matrix = merge(files)
    write_all(matrix, output)
    console = Console()
    if not quiet:
        display.counts(console, matrix)
    display.unexpected_cells(console, matrix)
    if not quiet:
        console.print(f"report: {output / 'report.html'}", soft_wrap=True, highlight=False)
    if slowest:
        display.slowest(console, matrix, slowest)
    return exit_status(matrix)


def report(results: Sequence[Path], output: Path, slowest: int) -> int:
    """Merge complete results files into a report; name so many of the slowest cells. Returns the exit status."""
    return _reported([read(path) for path in results], output, quiet=False, slowest=slowest)


def list_behaviours(words: Sequence[str], chapters: Path | None) -> None:
    """Print behaviours with level and statement."""
    display.behaviours(Console(), behaviours_of(words, chapters))


def show(word: str, chapters: Path | None, engine: str | None = None) -> None:
    """Print one or more behaviours in full, with the code of the check; or, of a cell, its script for an engine."""
    if engine is not None:
        print(script(word, engine, chapters), end="")
        return
    console = Console()
    for behaviour in behaviours_of([word], chapters):
        display.behaviour(console, behaviour, inspect.getsource(behaviour.check))


def engines() -> None:
    """Print the adapters that are registered, and whether their engines are there."""
    display.engines(Console(), installed())
