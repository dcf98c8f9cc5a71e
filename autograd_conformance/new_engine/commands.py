"""The commands of somebody who adds an engine. What they do is imported only when one of them runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance import completion
from autograd_conformance.shared import Form, form_options, one_line_errors

__all__ = ["adapter"]


@click.group()
def adapter() -> None:
    """Add an engine: write an adapter, and check it.

    Example: autograd-conformance adapter new my_engine
    """


@adapter.command()
@click.argument("name")
@click.option("--module", default="", metavar="PKG", help="What is imported to speak to the engine.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A folder.  [default: NAME-conformance]")
@form_options
@one_line_errors
def new(name: str, module: str, output: Path | None, form: Form) -> None:
    """Write an adapter's skeleton, which runs at once.

    NAME is the engine's name in the matrix. The skeleton is three files, and speaks to NumPy until your engine takes
    its place. What it does not write yet is `unsupported`. Nothing is overwritten.

    Example: autograd-conformance adapter new my_engine --module my_engine
    """
    from autograd_conformance.new_engine import skeleton

    skeleton.new(name, module, output or Path(f"{name}-conformance"), form)


@adapter.command()
@click.argument("engine", shell_complete=completion.engines)
@form_options
@one_line_errors
def check(engine: str, form: Form) -> None:
    """Check whether an adapter is sane, before any verdict, and name the verb to write next.

    ENGINE is a name, or module:Class. Exit status 1: something is to be mended, and each line says what was got, what
    was expected, and what to do.

    Example: autograd-conformance adapter check reference
    """
    from autograd_conformance.new_engine import checking

    sys.exit(checking.check(engine, form))
