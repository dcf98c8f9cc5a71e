"""The outcome of a sweep over operations: files, counts, and what is unexpected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.outcome import outcome_record, print_unexpected
from autograd_conformance.terminal import console, print_json, print_line, table, text
from reports import operations, unexpected
from reports.model import Matrix

__all__ = ["write_outcome"]


def write_outcome(matrix: Matrix, output: Path, form: OutputForm) -> int:
    """Write the files of a sweep into a folder, and print what is unexpected. Returns the exit status."""
    found = operations.operations_of(matrix)
    files = operations.write_operations(found, output)
    if form.as_json:
        print_json(outcome_record(matrix, files, []))
    else:
        if form.verbosity is not Verbosity.QUIET:
            _print_counts(found)
        print_unexpected(console(), matrix, form.verbosity)
        if form.verbosity is not Verbosity.QUIET:
            print_line(console(), f"operations: {files[0]}")
    return unexpected.exit_status(matrix)


def _print_counts(found: operations.Operations) -> None:
    """How many cells of each verdict each engine has."""
    counted = Counter((cell.engine, cell.verdict) for cell in found.cells)
    used = [verdict for verdict in operations.OperationsVerdict if any(one == verdict for _, one in counted)]
    rows = table("engine", "version")
    for verdict in used:
        rows.add_column(verdict.value, justify="right")
    for engine in found.engines:
        numbers = [str(counted[engine.column, verdict]) for verdict in used]
        rows.add_row(text(engine.column), text(engine.version), *numbers)
    console().print(rows)
