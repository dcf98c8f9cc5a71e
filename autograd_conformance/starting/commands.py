"""The commands of somebody who adds an engine. What they do is imported only when one of them runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance.shared import one_line_errors

__all__ = ["new_adapter", "smoke"]


@click.command("new-adapter")
@click.argument("name")
@click.option("--module", default="", metavar="PKG", help="What is imported to speak to the engine.")
@click.option(
    "--like",
    type=click.Choice(["tape", "transforms"]),
    default="transforms",
    show_default=True,
    help="What derivatives are asked of: recorded values, or programs. It decides which verbs come first.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A folder.  [default: NAME-conformance]")
@one_line_errors
def new_adapter(name: str, module: str, like: str, output: Path | None) -> None:
    """Write an adapter's skeleton, with every verb explained, that runs at once.

    NAME is the engine's name in the matrix. Verbs that are not written yet are `unsupported`. Nothing is overwritten.

    Example: autograd-conformance new-adapter hips_autograd --module autograd
    """
    from autograd_conformance.starting.skeleton import Plan, write

    click.echo(write(Plan(name, module, like), output or Path(f"{name}-conformance")))


@click.command()
@click.option("--engine", "-e", required=True, help="A name, or module:Class.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--quiet", "-q", is_flag=True, help="Print only problems.")
@one_line_errors
def smoke(engine: str, as_json: bool, quiet: bool) -> None:
    """Is an adapter sane? To be asked before verdicts mean anything.

    Exit status 1 says that something is to be mended: each line says what was got, expected, and what to do.

    Example: autograd-conformance smoke --engine reference
    """
    from autograd_conformance.starting import smoking

    sys.exit(smoking.smoke(engine, as_json, quiet))
