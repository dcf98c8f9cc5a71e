"""The commands for what runs leave behind: report, merge, diff."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance.shared import BadInput, Form, form_options, one_line_errors, output_option

__all__ = ["diff", "merge", "report"]

results_argument = click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command()
@results_argument
@output_option
@click.option("--slowest", type=click.IntRange(min=0), default=0, metavar="N", help="Name the N slowest cells.")
@form_options
@one_line_errors
def report(results: tuple[Path, ...], output: Path, slowest: int, form: Form) -> None:
    """Join results into one report.

    All files of docs/outputs.md are written. RESULTS, of one run or of many machines, are results files, a
    matrix.json, or folders with either. Exit status 1 says that something unexpected
    failed. To join results without a page, and without a judgement, see `merge`.

    Example: autograd-conformance report results/*.jsonl --output merged
    """
    from autograd_conformance.outcomes import commands

    sys.exit(commands.report(results, output, slowest, form))


@click.command()
@results_argument
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("matrix.json"),
    show_default=True,
    help="The file to write.",
)
@form_options
@one_line_errors
def merge(results: tuple[Path, ...], output: Path, form: Form) -> None:
    """Join results into one matrix.json, and write nothing else.

    `diff` and `report` read it. RESULTS are results files, a matrix.json, or folders with either. Files that do not
    belong together (another specification, one engine in one version twice) are refused. Exit status 0, whatever the
    cells say.

    Example: autograd-conformance merge results/*.jsonl --output matrix.json
    """
    from autograd_conformance.outcomes import commands

    commands.merge(results, output, form)


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--in", "within", metavar="PATH", type=click.Path(path_type=Path), help="OLD and NEW are columns of this."
)
@click.option("--format", "language", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the later report, with what changed marked in it.",
)
@form_options
@one_line_errors
def diff(old: str, new: str, within: Path | None, language: str, page: Path | None, form: Form) -> None:
    """Say what changed from OLD to NEW, by name.

    Exit status 1 says that something regressed.

    OLD and NEW are each a results file, a matrix.json, or a folder with either; with --in they are columns of one, in
    the same engine's versions (torch@2.9.1 torch@2.13.0) or of two engines. From the best verdict to the worst: pass,
    differs, absent, unsupported, fail, error, timeout, crash; down that list is a regression.

    Example: autograd-conformance diff old/matrix.json conformance-report
    """
    from autograd_conformance.outcomes import commands

    if form.as_json and language != "text":
        raise BadInput("--json and --format exclude each other: give one of them")
    sides = commands.sides(old, new, within)
    sys.exit(commands.diff(*sides, page, language == "markdown", form))
