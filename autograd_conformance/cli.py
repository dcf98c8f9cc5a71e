"""The command line. Nothing heavy is imported before a command needs it: `--help` knows neither NumPy nor an engine."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from autograd_conformance import afterwards, completion, upkeep
from autograd_conformance.new_engine.commands import adapter
from autograd_conformance.shared import (
    BadInput,
    Form,
    chapters_option,
    form_options,
    one_line_errors,
    output_option,
)

__all__ = ["main"]


class Amount(click.FloatRange):
    """A number within bounds; click's own type lets through what is no number, as it is not out of bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not in the range {self._describe_range()}.", param, ctx)
        return number


class Described(click.Group):
    """A group that lists its commands in the order in which they are used, not by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=Described, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("autograd-conformance"), prog_name="autograd-conformance")
def cli() -> None:
    """Which automatic differentiation engine keeps which documented promise?

    Example: autograd-conformance run --engine torch --engine jax --engine reference
    """


@cli.command()
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@click.option(
    "--engine",
    "-e",
    "engines",
    multiple=True,
    required=True,
    shell_complete=completion.engines,
    help="A name, with parameters if it takes any (torch, jax:jit), or module:Class. Repeatable.",
)
@output_option
@click.option(
    "--workers", "-n", type=click.IntRange(1, 1024), default=1, show_default=True, help="Worker processes per engine."
)
@click.option("--limit", type=Amount(0.1, 10**6), default=30.0, show_default=True, help="Seconds per behaviour.")
@click.option(
    "--memory",
    type=Amount(0.01, 10**6),
    default=4.0,
    show_default=True,
    help="GiB of memory that one behaviour may add to its process.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Run in an order drawn from this seed.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run into the same folder stopped.")
@chapters_option
@form_options
@one_line_errors
def run(engines: tuple[str, ...], behaviours: tuple[str, ...], form: Form, **options: Any) -> None:
    """Try behaviours on engines, and write the report.

    BEHAVIOURS are chapters, ids or cases (default: all). Exit status 1 says that something unexpected failed.

    Example: autograd-conformance run --engine reference accumulation hooks
    """
    from autograd_conformance import commands

    sys.exit(commands.run(engines, behaviours, form, **options))


@cli.command("list")
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@chapters_option
@form_options
@one_line_errors
def list_(behaviours: tuple[str, ...], chapters: Path | None, form: Form) -> None:
    """List behaviours with level and statement.

    Example: autograd-conformance list graph_lifetime
    """
    from autograd_conformance import commands

    commands.list_behaviours(behaviours, chapters, form)


@cli.command()
@click.argument("behaviour", shell_complete=completion.behaviours)
@click.option("--engine", "-e", shell_complete=completion.engines, help="With --script: the engine that it is for.")
@click.option("--script", is_flag=True, help="Print the same program in the engine's own API, and nothing else.")
@chapters_option
@form_options
@one_line_errors
def show(behaviour: str, engine: str | None, script: bool, chapters: Path | None, form: Form) -> None:
    """Show a behaviour, and who promises it; or its script.

    Besides the statement and its sources it shows the check, and engines that are wrong in one way on which that fails.

    Example: autograd-conformance show accumulation.a_second_backward_adds_to_the_first

    As a program: autograd-conformance show leaves.a_result_is_not_a_leaf --engine torch --script > program.py
    """
    from autograd_conformance import commands

    if script != (engine is not None):
        raise BadInput("--script and --engine go together: give both, or none")
    if engine is not None:
        commands.show_script(behaviour, engine, chapters, form)
    else:
        commands.show(behaviour, chapters, form)


@cli.command()
@form_options
@one_line_errors
def engines(form: Form) -> None:
    """List the engines, and whether they can be run here.

    A parameter may follow an engine's name, after a colon: jax:jit, torch:compile.

    Example: autograd-conformance engines
    """
    from autograd_conformance import commands

    commands.engines(form)


for command in (
    *(afterwards.report, afterwards.merge, afterwards.diff),
    adapter,
    *(upkeep.trace, upkeep.coverage, upkeep.foresee, upkeep.findings, upkeep.citations),
    completion.completion,
):
    cli.add_command(command)


def main() -> None:
    """The console command: errors in one line on standard error, exit status 2 where the call or its input is wrong."""
    try:
        if "" in sys.argv[1:]:
            raise click.UsageError(f"argument {sys.argv.index('')} is empty: is a variable of the shell not set?")
        cli.main(prog_name=completion.PROGRAM, complete_var=completion.VARIABLE, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        from conformance.messages import printable

        said = printable(" ".join(error.format_message().split()))
        click.echo(f"autograd-conformance: error: {said}{_usage(error)}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("autograd-conformance: interrupted; what a run computed is kept: go on with run --resume", err=True)
        sys.exit(130)


def _usage(error: click.ClickException) -> str:
    """Where a wrong call is put right: the help of the command that was called."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" See: {context.command_path} --help" if context else ""
