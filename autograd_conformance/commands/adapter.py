"""`adapter`: for whoever adds an engine. What both commands do is in `new_engine`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance import completion
from autograd_conformance.options import CommandGroup, OutputForm, form_options


# Without a command it is an error in one line, as any wrong call is, and not the help.
@click.group(cls=CommandGroup, no_args_is_help=False)
def adapter() -> None:
    """Write a new engine's adapter, and check it.

    Example: autograd-conformance adapter new my_engine
    """


@adapter.command()
@click.argument("name")
@click.option("--module", default="", metavar="PKG", help="The module that is imported to use the engine.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A folder.  [default: NAME-conformance]")
@form_options
def new(name: str, module: str, output: Path | None, form: OutputForm) -> None:
    """Write an adapter's skeleton, which runs at once.

    NAME is the engine's name in the matrix. The skeleton is three files, for NumPy until your engine takes its place.
    Verbs that are not written yet are `unsupported`. No file is overwritten.

    Example: autograd-conformance adapter new my_engine --module my_engine
    """
    # Imported when it runs: --help and Tab need none of it.
    from autograd_conformance.new_engine import skeleton

    skeleton.new(name, module, output or Path(f"{name}-conformance"), form)


@adapter.command()
@click.argument("engine", shell_complete=completion.engines)
@form_options
def check(engine: str, form: OutputForm) -> None:
    """Check that an adapter works, before a run, and name the verb to write next.

    ENGINE is a name, or module:Class. Exit status 1: there is a problem. Each is one line: what was got, what was
    expected, and what to do.

    Example: autograd-conformance adapter check reference
    """
    from autograd_conformance.new_engine import adapter_check

    sys.exit(adapter_check.check(engine, form))
