"""The outcome of runs, as `run` and `report` give it: files, and what is unexpected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.programs_output import print_message, print_programs, programs_record
from autograd_conformance.records import EngineCountsRecord, OutcomeRecord, StaleRecord
from autograd_conformance.terminal import console, print_json, print_line, table, text
from conformance.verdicts import Verdict
from reports import unexpected, view
from reports.matrix import empty, save
from reports.model import Matrix, MatrixCell, MatrixEngine
from reports.operations import matrix_of
from reports.operations_model import Operations, OperationsVerdict
from reports.plots import Plots
from reports.programs_model import Programs
from reports.text import clean
from reports.write import OperationsFiles, write_all, write_operations, write_programs

__all__ = [
    "outcome_record",
    "print_message",
    "print_sweep",
    "print_unexpected",
    "write_matrix",
    "write_programs_report",
    "write_report",
]

STYLES = {Verdict.PASS: "green", Verdict.ABSENT: "dim", Verdict.DIFFERS: "yellow"}


def write_report(
    matrix: Matrix,
    output: Path,
    form: OutputForm,
    slowest: int = 0,
    sweep: Operations | None = None,
    plots: Plots | None = None,
    programs: Programs | None = None,
) -> int:
    """Write the report into a folder, with operations and programs if there are any, and print what is unexpected.

    Returns the exit status. Raises ReportError.
    """
    files = write_all(matrix, output, sweep, plots, programs)
    longest = view.slowest(matrix, slowest)
    record = outcome_record(matrix, files, longest, sweep, programs)
    if form.as_json:
        print_json(record)
    else:
        if programs:
            print_programs(programs, form.verbosity)
        _print(console(), matrix, form.verbosity, f"report: {output / 'report.html'}", longest, sweep)
    return record.exit_status


def write_matrix(
    matrix: Matrix,
    output: Path,
    form: OutputForm,
    sweep: Operations | None = None,
    programs: Programs | None = None,
) -> None:
    """Write matrix.json, operations.json and programs.json into a folder, and print the counts. Raises ReportError."""
    path = output / "matrix.json"
    save(matrix, path)
    more = write_operations(sweep, output, OperationsFiles.DATA) if sweep else []
    if programs:
        more += write_programs(programs, output, data_only=True)
    if form.as_json:
        print_json(outcome_record(matrix, [path, *more], [], sweep, programs))
    elif form.verbosity is not Verbosity.QUIET:
        _print_counts(console(), matrix)
        print_line(console(), f"matrix: {path}")
        for one in more:
            print_line(console(), f"{one.stem}: {one}")


def write_programs_report(programs: Programs, output: Path, form: OutputForm, data_only: bool = False) -> int:
    """Write the files of campaigns alone into a folder, and print what is new. Returns the exit status.

    Raises ReportError.
    """
    files = write_programs(programs, output, data_only)
    record = outcome_record(empty(programs.suite), files, [], programs=programs)
    if form.as_json:
        print_json(record)
    else:
        print_programs(programs, form.verbosity)
        if form.verbosity is not Verbosity.QUIET:
            print_line(console(), f"programs: {files[0]}")
    return record.exit_status


def outcome_record(
    matrix: Matrix,
    files: Sequence[Path],
    slowest: Sequence[MatrixCell],
    sweep: Operations | None = None,
    programs: Programs | None = None,
) -> OutcomeRecord:
    """The outcome as it is printed with --json; what is unexpected in a sweep comes after that of the matrix."""
    both = [matrix, matrix_of(sweep)] if sweep else [matrix]
    tried = programs_record(programs) if programs else None
    return OutcomeRecord(
        exit_status=max(*map(unexpected.exit_status, both), int(bool(tried and tried.new))),
        files=[str(path) for path in files],
        suite=matrix.suite,
        engines=[_counts_record(matrix, engine) for engine in matrix.engines],
        unexpected=[cell for one in both for cell in unexpected.unexpected(one)],
        differences=[cell for one in both for cell in unexpected.unexpected_differences(one)],
        stale=[StaleRecord(column, problem) for one in both for column, problem in unexpected.stale(one)],
        overdue=[cell for one in both for cell in unexpected.overdue(one)],
        slowest=list(slowest),
        operations=[_operations_record(sweep, engine) for engine in sweep.engines] if sweep else [],
        programs=tried,
    )


def _counts_record(matrix: Matrix, engine: MatrixEngine) -> EngineCountsRecord:
    found = view.counts(matrix, engine)
    # `view.counts` has these two among the verdicts.
    return EngineCountsRecord(engine.column, engine.version, found, found.pop("not run"), found.pop("known"))


def _operations_record(sweep: Operations, engine: MatrixEngine) -> EngineCountsRecord:
    mine = [cell for cell in sweep.cells if cell.engine == engine.column]
    found = Counter(cell.verdict for cell in mine)
    verdicts = {verdict.value: found[verdict] for verdict in OperationsVerdict}
    places = {(cell.operation, cell.law) for cell in sweep.cells}
    known = sum(cell.known is not None for cell in mine)
    return EngineCountsRecord(engine.column, engine.version, verdicts, len(places) - len(mine), known)


def _print(
    shown: Console,
    matrix: Matrix,
    verbosity: Verbosity,
    where: str,
    slowest: Sequence[MatrixCell],
    sweep: Operations | None,
) -> None:
    if verbosity is not Verbosity.QUIET:
        _print_counts(shown, matrix)
    print_unexpected(shown, matrix, verbosity)
    if sweep:
        print_sweep(shown, sweep, verbosity)
    if verbosity is not Verbosity.QUIET:
        print_line(shown, where)
    if slowest:
        rows = table("seconds", "engine", "cell")
        for cell in slowest:
            rows.add_row(f"{cell.duration_s:.2f}", text(cell.engine), text(cell.behaviour))
        shown.print(rows)


def _print_counts(shown: Console, matrix: Matrix) -> None:
    """How many cells of each verdict each engine has, and how many of them are known failures."""
    used = [verdict for verdict in Verdict if any(cell.verdict == verdict for cell in matrix.cells)]
    known = any(cell.known for cell in matrix.cells)
    rows = table("engine", "version")
    for verdict in used:
        rows.add_column(verdict.value, justify="right", style=STYLES.get(verdict, "red"))
    if known:
        rows.add_column("known failures", justify="right")
    for engine in matrix.engines:
        count = view.counts(matrix, engine)
        numbers = [str(count[name]) for name in [*(verdict.value for verdict in used), *(["known"] if known else [])]]
        rows.add_row(text(engine.column), text(engine.version), *numbers)
    shown.print(rows)
    if sentence := view.shared(matrix):
        print_line(shown, sentence)


def print_sweep(shown: Console, sweep: Operations, verbosity: Verbosity) -> None:
    """How many cells of each verdict each engine has in a sweep, and what is unexpected there."""
    if verbosity is not Verbosity.QUIET:
        counted = [_operations_record(sweep, engine) for engine in sweep.engines]
        used = [verdict.value for verdict in OperationsVerdict if any(one.verdicts[verdict.value] for one in counted)]
        rows = table("operations of", "version")
        for name in [*used, "known failures"]:
            rows.add_column(name, justify="right")
        for one in counted:
            numbers = [str(one.verdicts[name]) for name in used]
            rows.add_row(text(one.column), text(one.version), *numbers, str(one.known))
        shown.print(rows)
    print_unexpected(shown, matrix_of(sweep), verbosity)


def print_unexpected(shown: Console, matrix: Matrix, verbosity: Verbosity) -> None:
    """Unexpected cells, those that count for the exit status first, then stale and overdue known failures."""
    _print_cells(shown, "unexpected", unexpected.unexpected(matrix), verbosity)
    differing = unexpected.unexpected_differences(matrix)
    _print_cells(shown, "unexpected differences, which do not count for the exit status", differing, verbosity)
    for column, problem in unexpected.stale(matrix):
        print_line(shown, f"stale known failure of {column}: {problem}")
    overdue = unexpected.overdue(matrix)
    if named := [f"{one.behaviour} of {one.engine} ({one.known.review_after})" for one in overdue if one.known]:
        print_line(shown, f"known failures whose review date has passed: {', '.join(named)}")
    if verbosity is Verbosity.VERBOSE:
        _print_cells(shown, "known failures", [cell for cell in matrix.cells if cell.known], verbosity)


def _print_cells(shown: Console, title: str, cells: Sequence[MatrixCell], verbosity: Verbosity) -> None:
    if cells:
        print_line(shown, f"{title}: {len(cells)}", style="bold")
    for cell in cells:
        verdict = Verdict(cell.verdict)
        line = text("  ").append(verdict.value, STYLES.get(verdict, "red"))
        print_line(shown, line.append(clean(f" {cell.engine} {cell.behaviour}")))
        if verbosity is not Verbosity.QUIET:
            print_message(shown, cell.message, verbosity)
