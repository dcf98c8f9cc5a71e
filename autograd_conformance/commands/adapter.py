"""`adapter`: for whoever adds an engine. What both commands do is in `starting`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance import completion
from autograd_conformance.options import BadInput, CommandGroup, OutputForm, form_options

__all__ = ["adapter"]


@click.group(cls=CommandGroup)
def adapter() -> None:
    """Write a new engine's adapter, and check it.

    Example: autograd-conformance adapter new my_engine
    """


@adapter.command()
@click.argument("name")
@click.option("--module", default="", metavar="PKG", help="The module that is imported to use the engine.")
@click.option(
    "--like",
    type=click.Choice(["tape", "transforms"]),
    default="transforms",
    show_default=True,
    help="Whether the engine records operations on a tape, or transforms functions: which verbs come first.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A folder.  [default: NAME-conformance]")
@form_options
def new(name: str, module: str, like: str, output: Path | None, form: OutputForm) -> None:
    """Write an adapter's skeleton, which runs at once.

    NAME is the engine's name in the matrix. Verbs that are not written yet are `unsupported`. No file is overwritten.

    Example: autograd-conformance adapter new my_engine --like tape
    """
    from autograd_conformance.starting.refused import StartingError
    from autograd_conformance.starting.writing import new_adapter

    try:
        new_adapter(name, module, like, output or Path(f"{name}-conformance"), form)
    except StartingError as error:
        raise BadInput(str(error)) from error


@adapter.command()
@click.option("--engine", "-e", required=True, shell_complete=completion.engines, help="A name, or module:Class.")
@form_options
def check(engine: str, form: OutputForm) -> None:
    """Check that an adapter works, before a run.

    Exit status 1: there is a problem. Each is one line: what was got, what was expected, and what to do.

    Example: autograd-conformance adapter check --engine reference
    """
    from autograd_conformance.starting.refused import StartingError
    from autograd_conformance.starting.smoking import smoke

    try:
        sys.exit(smoke(engine, form))
    except StartingError as error:
        raise BadInput(str(error)) from error
