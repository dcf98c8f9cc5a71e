"""`report`: results of one run or several, joined."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance.options import BadInput, OutputForm, form_options, output_option, results_argument

if TYPE_CHECKING:
    from reports.operations_model import Operations
    from reports.plots import Plots
    from reports.programs_model import Programs
    from reports.reading import Joined

__all__ = ["report"]


@click.command()
@results_argument
@output_option
@click.option("--json-only", is_flag=True, help="Write the JSON files, no other; exit status 0.")
@click.option("--slowest", type=click.IntRange(min=0), default=0, metavar="N", help="List the N slowest cells.")
@form_options
def report(results: Sequence[Path], output: Path, json_only: bool, slowest: int, form: OutputForm) -> None:
    """Join results into one report.

    RESULTS, of one run or of many machines, are results files, a matrix.json, an operations.json, a programs.json, or
    folders with any of these. They must fit together: one revision of the suite, each version of an engine once, or
    with other seeds of programs. docs/outputs.md lists the files that are written. Exit status 1: something unexpected
    failed.

    Example: autograd-conformance report results/*.jsonl --output merged
    """
    from autograd_conformance.outcome import write_matrix, write_report
    from reports.reading import joined_parts

    if json_only and slowest:
        raise BadInput("--json-only and --slowest exclude each other: give one of them")
    if json_only and output.suffix == ".json":
        raise BadInput(f"--output {output}: is a folder, in which matrix.json is written; leave the file name out")
    found = joined_parts(results)
    sweep = _told(found)
    if found.matrix and json_only:
        write_matrix(found.matrix, output, form, sweep, found.programs)
    elif found.matrix:
        sys.exit(write_report(found.matrix, output, form, slowest, sweep, _plots(found), found.programs))
    elif sweep:
        _operations(sweep, found, output, form, json_only)
    elif found.programs:
        _programs(found.programs, output, form, json_only)


def _told(found: Joined) -> Operations | None:
    """The sweep, if there is one, with what the table of operations says."""
    if found.operations is None:
        return None
    # Only then: the table takes a while to import.
    from autograd_conformance.operations_output import told

    return told(found.operations)


def _plots(found: Joined) -> Plots:
    from reports.plots import plots_of_cells

    return plots_of_cells(found.curves)


def _operations(sweep: Operations, found: Joined, output: Path, form: OutputForm, json_only: bool) -> None:
    """Write the report of operations, and of programs if there are any, and exit with the status."""
    from autograd_conformance.operations_output import write_outcome
    from reports.write import OperationsFiles

    files = OperationsFiles.DATA if json_only else OperationsFiles.WITH_PAGE
    status = write_outcome(sweep, output, form, files, {} if json_only else _plots(found), found.programs)
    sys.exit(0 if json_only else status)


def _programs(found: Programs, output: Path, form: OutputForm, json_only: bool) -> None:
    """Write the files of programs alone, and exit with the status."""
    from autograd_conformance.outcome import write_programs_report

    status = write_programs_report(found, output, form, json_only)
    sys.exit(0 if json_only else status)
