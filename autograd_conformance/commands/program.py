"""`program`: the program of a seed, the outcomes of its oracles, and its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from autograd_conformance import completion
from autograd_conformance.options import BadInput, OutputForm, form_options
from autograd_conformance.terminal import console, print_json, print_line, print_source, text

if TYPE_CHECKING:
    from conformance.programs.source.report import ProgramReport


def _named(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """KIND:SEED. Raises click.BadParameter."""
    # As many digits as `programs --seeds` takes.
    if not re.fullmatch(r"[a-z_]+:[0-9]{1,19}", value):
        raise click.BadParameter(f"{value!r} names no program: write KIND:SEED, such as writes:17.", ctx, param)
    return value


@click.command()
@click.argument("name", metavar="KIND:SEED", callback=_named)
@click.option("--engine", "-e", required=True, shell_complete=completion.engines, help="Which engine.")
@click.option("--script", "form_of", flag_value="script", help="Print the native program of what is found, only.")
@click.option("--as-test", "form_of", flag_value="test", help="Print a regression test of what is found, only.")
@form_options
def program(name: str, engine: str, form_of: str | None, form: OutputForm) -> None:
    """Show the generated program of a seed.

    What each oracle says of it, the smallest program that shows what is found, and that as a native program. A finding
    becomes a test of the suite by --as-test, in a file of tests/programs/found.

    Example: autograd-conformance program writes:17 --engine reference
    """
    from autograd_conformance.derived import show_program
    from conformance.engines import parse

    # For its error: a misspelt engine is reported before a process is started for it.
    parse(engine)
    report = show_program(engine, name)
    # The program that was drawn is there unless the engine or its process failed before it.
    if not report.drawn:
        raise BadInput(f"{name} on {engine}: {report.problem or 'no program'}")
    # Before --json: each of these options promises its text and nothing else.
    if form_of:
        print(_file_text(report, form_of), end="")
    elif form.as_json:
        print_json(report)
    else:
        _print_program(report)


def _file_text(report: ProgramReport, form_of: str) -> str:
    """The native program, or a file with the check. Raises BadInput where there is none."""
    from conformance.programs.source.files import as_test

    if not report.native or not report.check:
        why = report.problem or "no oracle finds anything"
        raise BadInput(f"{report.name} on {report.engine}: nothing to write: {why}")
    return report.native if form_of == "script" else as_test(report)


def _print_program(report: ProgramReport) -> None:
    out = console()
    _print_part(f"Program {report.name}", report.drawn)
    for oracle in report.oracles:
        print_line(out, text(f"  {oracle.oracle}: ", "bold"), text(oracle.outcome))
    if report.problem:
        print_line(out, text(report.problem, "red"))
    if report.signature:
        print_line(out, text("Signature: ", "bold"), text(report.signature))
        _print_part("The smallest program that shows it", report.listing)
        _print_part(f"The same in {report.engine}'s own interface", report.native)


def _print_part(title: str, source: str) -> None:
    if source:
        out = console()
        print_line(out, text(title, "bold"))
        print_source(out, source)
        print_line(out, "")
