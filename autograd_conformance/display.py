"""Tables and progress on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from autograd_conformance.installed import missing_imports
from autograd_conformance.running import EngineRun
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.kills import MutantRecord, killed_by, recorded
from conformance.verdicts import Verdict
from reports import unexpected, view
from reports.model import Cell, Matrix
from reports.text import clean, clip

__all__ = ["behaviour", "behaviours", "counts", "engines", "progress", "slowest", "unexpected_cells"]


def _text(said: str, style: str = "") -> Text:
    """Text from outside, in which a terminal finds nothing to act on."""
    return Text(clean(said), style)


STYLES = {Verdict.PASS: "green", Verdict.ABSENT: "dim", Verdict.DIFFERS: "yellow"}


@contextmanager
def progress(specs: Sequence[str], quiet: bool) -> Iterator[Callable[[EngineRun], None]]:
    """A bar per engine, on standard error; gives the function that moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {spec: bars.add_task(_text(spec).markup, total=None) for spec in specs}

        def tell(run: EngineRun) -> None:
            bars.update(tasks[run.spec], completed=len(run.done), total=run.selected or None)

        yield tell


def counts(console: Console, matrix: Matrix) -> None:
    """How many cells of each verdict, per engine."""
    used = [verdict for verdict in Verdict if any(cell.verdict == verdict for cell in matrix.cells)]
    table = Table("engine", "version", box=box.SIMPLE_HEAD)
    for verdict in used:
        table.add_column(verdict.value, justify="right", style=STYLES.get(verdict, "red"))
    for engine in matrix.engines:
        count = Counter(cell.verdict for cell in matrix.cells if cell.engine == engine.column)
        table.add_row(_text(engine.column), _text(engine.version), *(str(count[verdict]) for verdict in used))
    console.print(table)
    if sentence := view.shared(matrix):
        console.print(sentence, highlight=False)


def slowest(console: Console, matrix: Matrix, count: int) -> None:
    """The cells that took longest, with their seconds."""
    table = Table("seconds", "engine", "cell", box=box.SIMPLE_HEAD)
    for cell in view.slowest(matrix, count):
        table.add_row(f"{cell.duration_s:.2f}", _text(cell.engine), _text(cell.behaviour))
    console.print(table)


def unexpected_cells(console: Console, matrix: Matrix) -> None:
    """The cells that nobody foresaw, those that count for the exit status first, then stale expectations."""
    _cells(console, "unexpected", unexpected.unexpected(matrix))
    _cells(console, "differs, where nobody promised otherwise", unexpected.unforeseen_differences(matrix))
    for column, problem in unexpected.stale(matrix):
        console.print(_text(f"stale expectation of {column}: {problem}"), soft_wrap=True)
    _overdue(console, unexpected.overdue(matrix))


def _overdue(console: Console, cells: Sequence[Cell]) -> None:
    named = [f"{cell.behaviour} of {cell.engine} ({cell.known.review_after})" for cell in cells if cell.known]
    if named:
        line = f"expectations to review, their date has passed: {', '.join(named)}"
        console.print(_text(line), soft_wrap=True)


def _cells(console: Console, title: str, cells: Sequence[Cell]) -> None:
    if not cells:
        return
    console.print(_text(f"{title}: {len(cells)}", style="bold"))
    for cell in cells:
        verdict = _text(Verdict(cell.verdict).value, style=STYLES.get(Verdict(cell.verdict), "red"))
        console.print(_text("  ").append(verdict).append(clean(f" {cell.engine} {cell.behaviour}")), soft_wrap=True)
        console.print(Padding(_text(clip(cell.message)), (0, 0, 0, 6)))


def behaviours(console: Console, declared: Sequence[Behaviour]) -> None:
    """A line per behaviour."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("behaviour", "level", "statement"):
        table.add_column(heading, overflow="fold")
    for one in declared:
        table.add_row(_text(one.id), one.level.value, _text(one.statement))
    console.print(table)
    console.print(f"{len(declared)} behaviours, {sum(len(one.ids()) for one in declared)} cells per engine")


def behaviour(console: Console, declared: Behaviour, source: str) -> None:
    """Everything about one behaviour."""
    console.print(_text(declared.id, style="bold"), f"({declared.level.value})")
    console.print(_text(declared.statement))
    for citation in behaviour_record(declared).citations:
        answer = f" [{citation.answer}]" if citation.answer else ""
        place = f"{citation.title}, {citation.section}" if citation.section else citation.title
        console.print(_text(f"  {citation.promiser}{answer}: {place} <{citation.address}>"), soft_wrap=True)
    for mutant in _telling(declared):
        console.print(_text(f"  notices ({mutant.engine}): {mutant.what}"), soft_wrap=True)
    console.print(Syntax(source.rstrip(), "python", background_color="default", word_wrap=True))


def _telling(declared: Behaviour) -> list[MutantRecord]:
    """Mutants that the behaviour is known to notice, a few of them, those first that few others notice."""
    mutants = recorded().mutants
    found = {m.name: m for cell in declared.ids() for m in killed_by(cell, mutants)}
    return sorted(found.values(), key=lambda m: (m.noticed, m.name))[:5]


def engines(console: Console, found: Mapping[str, EntryPoint]) -> None:
    """The registered adapters."""
    table = Table("engine", "adapter", "can be run", box=box.SIMPLE_HEAD)
    for name, point in found.items():
        lacking = missing_imports(point.module)
        table.add_row(_text(name), _text(point.value), f"no: {', '.join(lacking)} missing" if lacking else "yes")
    console.print(table)
