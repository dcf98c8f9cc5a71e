"""The commands of somebody who adds an engine. What they do is imported only when one of them runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance import completion
from autograd_conformance.shared import Form, form_options, one_line_errors

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
@form_options
@one_line_errors
def new_adapter(name: str, module: str, like: str, output: Path | None, form: Form) -> None:
    """Write an adapter's skeleton, which runs at once.

    Every verb is in it, and explained; those that are not written yet are `unsupported`. NAME is the engine's name in
    the matrix. Nothing is overwritten.

    Example: autograd-conformance new-adapter my_engine --like tape
    """
    from autograd_conformance.starting import writing

    writing.new_adapter(name, module, like, output or Path(f"{name}-conformance"), form)


@click.command()
@click.option("--engine", "-e", required=True, shell_complete=completion.engines, help="A name, or module:Class.")
@form_options
@one_line_errors
def smoke(engine: str, form: Form) -> None:
    """Ask whether an adapter is sane, before any verdict.

    Exit status 1 says that something is to be mended: each line says what was got, expected, and what to do.

    Example: autograd-conformance smoke --engine reference
    """
    from autograd_conformance.starting import smoking

    sys.exit(smoking.smoke(engine, form))
