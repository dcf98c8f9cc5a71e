"""The command line: its commands, and what becomes of an error. Each command is a module of `commands`.

Nothing heavy is imported before a command runs: --help and Tab load neither NumPy nor an engine.
"""

from __future__ import annotations

import sys

import click

from autograd_conformance import INTERRUPTED, PROGRAM
from autograd_conformance.commands.adapter import adapter
from autograd_conformance.commands.check import check
from autograd_conformance.commands.diff import diff
from autograd_conformance.commands.engines import engines
from autograd_conformance.commands.guide import guide
from autograd_conformance.commands.known import known
from autograd_conformance.commands.list import list_
from autograd_conformance.commands.operations import operations
from autograd_conformance.commands.program import program
from autograd_conformance.commands.programs import programs
from autograd_conformance.commands.report import report
from autograd_conformance.commands.run import run
from autograd_conformance.commands.show import show
from autograd_conformance.options import CommandGroup

__all__ = ["COMMANDS", "COMPLETE_VARIABLE", "PROGRAM", "cli", "main"]

# Set here, as click derives it from the program's name, which is another for `python -m autograd_conformance`.
COMPLETE_VARIABLE = "_AUTOGRAD_CONFORMANCE_COMPLETE"

COMMANDS = (run, operations, check, report, guide, diff, list_, show, engines)
MAINTAINERS = (programs, program, adapter, known)


@click.group(
    cls=CommandGroup,
    later=[str(command.name) for command in MAINTAINERS],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM)
def cli() -> None:
    """Which automatic differentiation engine behaves as documented?

    Example: autograd-conformance run --engine torch --engine jax --engine reference
    """


for command in (*COMMANDS, *MAINTAINERS):
    cli.add_command(command)


def main() -> None:
    """The console command: errors in one line on standard error, exit status 2 where the call or its input is wrong."""
    try:
        # Most often `$NAME` of a variable that is not set. As a path it would mean the current folder.
        if "" in sys.argv[1:]:
            raise click.UsageError(f"argument {sys.argv.index('')} is empty: is a variable of the shell not set?")
        # Not standalone: click would print usage and error itself, in several lines.
        cli.main(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE, standalone_mode=False)
    # First, although it is a ClickException too: its message is the help, and is no single line.
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        from conformance.messages import printable

        # click lists the choices of an argument over several lines.
        message = printable(" ".join(error.format_message().split()))
        click.echo(f"{PROGRAM}: error: {message}{_help_hint(error)}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        # The first word is the command: --help and --version alone may precede it, and end at once.
        what = {"run": "finished cells", "operations": "finished cells", "programs": "tried programs"}
        kept = f"; {what[sys.argv[1]]} are kept: continue with --resume" if sys.argv[1:] and sys.argv[1] in what else ""
        click.echo(f"{PROGRAM}: interrupted{kept}", err=True)
        sys.exit(INTERRUPTED)


def _help_hint(error: click.ClickException) -> str:
    """For a wrong call, how to see the help of the command that was called."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" See: {context.command_path} --help" if context else ""
