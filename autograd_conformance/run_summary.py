"""The summary that `run`, `operations`, `programs` and `report` print: files, counts, and what is unexpected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.padding import Padding

from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.records import EngineCountsRecord, OutcomeRecord, StaleRecord
from autograd_conformance.terminal import console, print_json, print_line, table, text
from conformance.verdicts import CauseKind, Verdict
from reports import unexpected, view
from reports.model import Matrix, MatrixCell, Section
from reports.plots import plots_of_cells
from reports.programs_data import tally_row
from reports.sources import joined_sections
from reports.text import clean, clip
from reports.write import write_all

Item = TypeVar("Item")

STYLES = {Verdict.PASS: "green", Verdict.ABSENT: "dim", Verdict.DIFFERS: "yellow"}


def write_report(
    results: Sequence[Path],
    output: Path,
    form: OutputForm,
    data_only: bool = False,
    complete: Callable[[Matrix], Matrix] | None = None,
) -> int:
    """Write the report of results into a folder, and print what is unexpected. Returns the exit status.

    With `data_only`, the JSON files alone, and counts. `complete` adds to a section what results do not have. Raises
    ReportError or ResultsError.
    """
    joined = joined_sections(results)
    sections = {section: complete(matrix) if complete else matrix for section, matrix in joined.sections.items()}
    if Section.OPERATIONS in sections:
        # Only then: the table takes a while to import.
        from autograd_conformance.operation_texts import with_texts

        sections[Section.OPERATIONS] = with_texts(sections[Section.OPERATIONS])
    files = write_all(sections, output, plots_of_cells(joined.curves), data_only)
    record = _record(list(sections.values()), files)
    if form.as_json:
        print_json(record)
    else:
        shown_files = files if data_only else [output / "report.html"]
        _print_sections(console(), list(sections.values()), shown_files, form.verbosity, data_only)
    return record.exit_status


def _print_sections(
    shown: Console, sections: Sequence[Matrix], files: Sequence[Path], verbosity: Verbosity, data_only: bool
) -> None:
    for matrix in sections:
        if verbosity is not Verbosity.QUIET:
            _print_counts(shown, matrix)
        if not data_only:
            _print_unexpected(shown, matrix, verbosity)
    if verbosity is not Verbosity.QUIET:
        for path in files:
            print_line(shown, f"{path.stem}: {path}")


def _record(sections: Sequence[Matrix], files: Sequence[Path]) -> OutcomeRecord:
    """The summary as it is printed with --json."""

    def each(of_matrix: Callable[[Matrix], Sequence[Item]]) -> list[Item]:
        return [item for matrix in sections for item in of_matrix(matrix)]

    return OutcomeRecord(
        # A single section with something unexpected is enough.
        exit_status=max(map(unexpected.exit_status, sections)),
        files=[str(path) for path in files],
        suite=sections[0].suite,
        engines=each(lambda matrix: _counts_records(matrix)),
        unexpected=each(unexpected.unexpected),
        differences=each(unexpected.unexpected_differences),
        stale=[StaleRecord(column, problem) for column, problem in each(unexpected.stale)],
        overdue=each(unexpected.overdue),
        tallies=each(lambda matrix: matrix.tallies),
    )


def _counts_records(matrix: Matrix) -> list[EngineCountsRecord]:
    counts = view.counts(matrix)
    # `view.counts` has these two among the verdicts.
    rest = {column: (count.pop("not run"), count.pop("known")) for column, count in counts.items()}
    return [
        EngineCountsRecord(matrix.section, engine.column, engine.version, counts[engine.column], *rest[engine.column])
        for engine in matrix.engines
    ]


def _print_counts(shown: Console, matrix: Matrix) -> None:
    """Cells by verdict of each engine, and how many of them are known failures; of programs, what was run."""
    if matrix.tallies:
        rows = table("programs of", "kind", "seeds", "programs", "judged", "unsupported", "known", "new")
        for tally in matrix.tallies:
            rows.add_row(*map(text, tally_row(matrix, tally)))
        shown.print(rows)
        return
    counts = view.counts(matrix)
    names = view.used(counts)
    used, known = [verdict for verdict in Verdict if verdict.value in names], "known" in names
    rows = table("engine" if matrix.section is Section.BEHAVIOURS else f"{matrix.section.title} of", "version")
    for verdict in used:
        rows.add_column(verdict.value, justify="right", style=STYLES.get(verdict, "red"))
    if known:
        rows.add_column("known failures", justify="right")
    for engine in matrix.engines:
        count = counts[engine.column]
        numbers = [str(count[name]) for name in [*(verdict.value for verdict in used), *(["known"] if known else [])]]
        rows.add_row(text(engine.column), text(engine.version), *numbers)
    shown.print(rows)
    _print_causes(shown, matrix)
    if sentence := view.shared(matrix):
        print_line(shown, sentence)


def _print_causes(shown: Console, matrix: Matrix) -> None:
    """A line per cause of known failures, the most harmful first: its kind, title, and number of cells by column."""
    causes: dict[tuple[int, str, str], Counter[str]] = {}
    for cell in matrix.cells:
        if cell.known and cell.known.kind:
            place = (list(CauseKind).index(cell.known.kind), cell.known.kind_name, cell.known.title)
            causes.setdefault(place, Counter())[cell.engine] += 1
    for (_, kind, title), counts in sorted(causes.items(), key=lambda item: (item[0][0], -item[1].total(), item[0])):
        cells = ", ".join(f"{column} {count:,}" for column, count in counts.items())
        print_line(shown, text(kind, "bold"), f"{title} ({cells})")


def _print_unexpected(shown: Console, matrix: Matrix, verbosity: Verbosity) -> None:
    """Unexpected cells, those that count for the exit status first, then stale and overdue known failures."""
    _print_cells(shown, "unexpected", unexpected.unexpected(matrix), verbosity)
    differing = unexpected.unexpected_differences(matrix)
    _print_cells(shown, "unexpected differences, which do not count for the exit status", differing, verbosity)
    for column, problem in unexpected.stale(matrix):
        print_line(shown, f"stale known failure of {column}: {problem}")
    overdue = unexpected.overdue(matrix)
    if named := [f"{cell.behaviour} of {cell.engine} ({cell.known.review_after})" for cell in overdue if cell.known]:
        print_line(shown, f"known failures whose review date has passed: {', '.join(named)}")
    if verbosity is Verbosity.VERBOSE:
        # An engine-wide cause may have thousands of cells; the counts above have it in a line.
        rest = [cell for cell in matrix.cells if cell.known and not cell.engine_wide]
        _print_cells(shown, "known failures", rest, verbosity)


def _print_cells(shown: Console, title: str, cells: Sequence[MatrixCell], verbosity: Verbosity) -> None:
    if cells:
        print_line(shown, f"{title}: {len(cells)}", style="bold")
    for cell in cells:
        line = text("  ").append(cell.verdict.value, STYLES.get(cell.verdict, "red"))
        print_line(shown, line.append(clean(f" {cell.engine} {cell.behaviour}")))
        if verbosity is not Verbosity.QUIET:
            print_message(shown, cell.message, verbosity)
            if cell.counts:
                first = f", the first {cell.program.name}" if cell.program else ""
                print_line(shown, f"      {sum(cell.counts.values()):,} programs{first}")


def print_message(shown: Console, message: str, verbosity: Verbosity, title: str = "") -> None:
    """Print what was observed, indented below the cell's name: clipped, or in full."""
    content = clean(message) if verbosity is Verbosity.VERBOSE else clip(message)
    if content:
        # As a block: a message may have several lines, and all are indented.
        shown.print(Padding(text(title + content), (0, 0, 0, 6), expand=False))
