"""A matrix on the terminal: counts, what nobody foresaw, what took long."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from autograd_conformance.shared import Talk
from autograd_conformance.terminal import text
from conformance.verdicts import Verdict
from reports import unexpected, view
from reports.model import Matrix, MatrixCell
from reports.text import clean, clip

__all__ = ["STYLES", "counts", "message", "slowest", "unexpected_cells"]

STYLES = {Verdict.PASS: "green", Verdict.ABSENT: "dim", Verdict.DIFFERS: "yellow"}


def counts(console: Console, matrix: Matrix) -> None:
    """How many cells of each verdict, per engine."""
    used = [verdict for verdict in Verdict if any(cell.verdict == verdict for cell in matrix.cells)]
    table = Table("engine", "version", box=box.SIMPLE_HEAD)
    for verdict in used:
        table.add_column(verdict.value, justify="right", style=STYLES.get(verdict, "red"))
    for engine in matrix.engines:
        count = view.counts(matrix, engine)
        table.add_row(text(engine.column), text(engine.version), *(str(count[verdict.value]) for verdict in used))
    console.print(table)
    if sentence := view.shared(matrix):
        console.print(sentence, highlight=False, soft_wrap=True)


def slowest(console: Console, cells: Sequence[MatrixCell]) -> None:
    """The cells that took longest, with their seconds."""
    table = Table("seconds", "engine", "cell", box=box.SIMPLE_HEAD)
    for cell in cells:
        table.add_row(f"{cell.duration_s:.2f}", text(cell.engine), text(cell.behaviour))
    console.print(table)


def unexpected_cells(console: Console, matrix: Matrix, talk: Talk) -> None:
    """The cells that nobody foresaw, those that count for the exit status first, then stale known failures."""
    _cells(console, "unexpected", unexpected.unexpected(matrix), talk)
    _cells(console, "differs, where nobody promised otherwise", unexpected.unexpected_differences(matrix), talk)
    for column, problem in unexpected.stale(matrix):
        console.print(text(f"stale expectation of {column}: {problem}"), soft_wrap=True)
    _overdue(console, unexpected.overdue(matrix))
    if talk is Talk.VERBOSE:
        _cells(console, "known", [cell for cell in matrix.cells if cell.known], talk)


def _overdue(console: Console, cells: Sequence[MatrixCell]) -> None:
    named = [f"{cell.behaviour} of {cell.engine} ({cell.known.review_after})" for cell in cells if cell.known]
    if named:
        line = f"known failures to review, their date has passed: {', '.join(named)}"
        console.print(text(line), soft_wrap=True)


def _cells(console: Console, title: str, cells: Sequence[MatrixCell], talk: Talk) -> None:
    if not cells:
        return
    console.print(text(f"{title}: {len(cells)}", style="bold"))
    for cell in cells:
        verdict = text(Verdict(cell.verdict).value, style=STYLES.get(Verdict(cell.verdict), "red"))
        console.print(text("  ").append(verdict).append(clean(f" {cell.engine} {cell.behaviour}")), soft_wrap=True)
        if talk is not Talk.QUIET:
            message(console, cell.message, talk)


def message(console: Console, said: str, talk: Talk, title: str = "") -> None:
    """What was observed, below the cell's name: clipped, or in full."""
    shown = clean(said) if talk is Talk.VERBOSE else clip(said)
    if shown:
        console.print(Padding(text(title + shown), (0, 0, 0, 6), expand=False))
