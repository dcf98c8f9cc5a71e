"""`report`: results of any number of runs, joined."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from autograd_conformance.options import BadInput, OutputForm, form_options, output_option, results_argument


@click.command()
@results_argument
@output_option
@click.option("--json-only", is_flag=True, help="Write the JSON files, no other; exit status 0.")
@form_options
def report(results: Sequence[Path], output: Path, json_only: bool, form: OutputForm) -> None:
    """Join results into one report.

    RESULTS, of one run or of many machines, are results files, a matrix.json, an operations.json, a programs.json, or
    folders with any of these. They must fit together: one revision of the suite, each version of an engine once, or
    with other seeds of programs. docs/outputs.md lists the files that are written. Exit status 1: something unexpected
    failed.

    Example: autograd-conformance report results/*.jsonl --output merged
    """
    from autograd_conformance.run_summary import write_report

    # The likeliest mistake: the name of a file in the place of its folder.
    if json_only and output.suffix == ".json":
        raise BadInput(f"--output {output}: is a folder, in which matrix.json is written; leave the file name out")
    status = write_report(results, output, form, data_only=json_only)
    # The step that only joins the runs of many machines does not judge them.
    sys.exit(0 if json_only else status)
