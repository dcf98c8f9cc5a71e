"""The outcome of a sweep over operations: what the table of operations adds to it, and its files."""

from __future__ import annotations

from pathlib import Path

from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.outcome import outcome_record, print_sweep
from autograd_conformance.programs_output import print_programs
from autograd_conformance.terminal import console, print_json, print_line
from conformance.known_failures import file_of, script_of
from conformance.operations import TABLE
from reports.operations import described, matrix_of
from reports.operations_model import OperationRow, Operations
from reports.plots import Plots
from reports.programs_model import Programs
from reports.write import OperationsFiles, write_operations, write_programs

__all__ = ["told", "write_outcome"]


def told(found: Operations) -> Operations:
    """With families and meanings from the table of operations, and native programs of the causes of known failures."""
    rows = [OperationRow(one.name, one.group, one.meaning) for one in TABLE.values()]
    engines = {engine.column: engine.name for engine in found.engines}
    causes = {(engines[cell.engine], cell.known.cause) for cell in found.cells if cell.known and cell.known.cause}
    scripts = {cause: script_of(cause, file_of(engine)) for engine, cause in sorted(causes)}
    return described(found, rows, {cause: path.read_text("utf-8") for cause, path in scripts.items() if path.exists()})


def write_outcome(
    found: Operations,
    output: Path,
    form: OutputForm,
    wanted: OperationsFiles = OperationsFiles.USUAL,
    plots: Plots | None = None,
    programs: Programs | None = None,
) -> int:
    """Write the files of a sweep, and of programs, into a folder, and print what is unexpected.

    `plots` are for the page, where that is wanted. Returns the exit status. Raises ReportError.
    """
    files = write_operations(found, output, wanted, plots)
    files += write_programs(programs, output, wanted is OperationsFiles.DATA) if programs else []
    record = outcome_record(matrix_of(found), files, [], programs=programs)
    if form.as_json:
        print_json(record)
    else:
        if programs:
            print_programs(programs, form.verbosity)
        print_sweep(console(), found, form.verbosity)
        if form.verbosity is not Verbosity.QUIET:
            page = wanted is OperationsFiles.WITH_PAGE
            where = f"report: {output / 'report.html'}" if page else f"operations: {files[0]}"
            print_line(console(), where)
    return record.exit_status
