"""The group of commands, which reports bad input in one line, and the options that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import wraps
from pathlib import Path
from typing import Any

import click


class Verbosity(IntEnum):
    """The amount of output: names and what is unexpected; the usual; everything, with messages in full."""

    QUIET = -1
    USUAL = 0
    VERBOSE = 1


@dataclass(frozen=True)
class OutputForm:
    """The form of a command's output."""

    verbosity: Verbosity = Verbosity.USUAL
    as_json: bool = False


class BadInput(click.ClickException):
    """The call, or a file that it names, is wrong: one line, exit status 2."""

    exit_code = 2


class CommandGroup(click.Group):
    """A group that lists its commands in the order of use, and turns the suite's errors of input into BadInput.

    `later` names the commands that its help has under another heading, for those who maintain an engine.
    """

    def __init__(self, *given: Any, later: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*given, **options)
        self.later = later

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, in two sections where some are for maintainers."""
        rows = [(name, command.get_short_help_str(limit=80)) for name, command in self.commands.items()]
        parts = {"Commands": False, "Commands for maintainers of an engine": True}
        for title, is_later in parts.items():
            if chosen := [row for row in rows if (row[0] in self.later) is is_later]:
                with formatter.section(title):
                    formatter.write_dl(chosen)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, in the order in which they were added."""
        return list(self.commands)  # click would sort them

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command. Raises click's exceptions only, unless there is a bug."""
        try:
            return super().invoke(ctx)
        # In this order: the last clause is for errors that are not click's.
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except KeyboardInterrupt:
            raise click.Abort() from None  # else click prints an empty line first
        except Exception as error:
            # Imported only once a command has raised: --help and Tab need no package of the suite.
            from conformance.messages import InputError

            if isinstance(error, InputError):
                raise BadInput(" ".join(str(error).split())) from error
            raise


results_argument = click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))

chapters_option = click.option(
    "--chapters",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder named 'chapters' with behaviours of your own, instead of the suite's.",
)

output_option = click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("conformance-report"),
    show_default=True,
    help="Folder for results and report.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else (docs/outputs.md).")


def form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --json, --quiet and --verbose; it receives all three as `form`."""

    @json_option
    @click.option("--quiet", "-q", is_flag=True, help="Print only names, and what is unexpected.")
    @click.option("--verbose", "-v", is_flag=True, help="Print everything, and messages in full.")
    @wraps(command)  # copies `__click_params__` too, in which click keeps the options of decorators below
    def with_form(*args: Any, as_json: bool, quiet: bool, verbose: bool, **kwargs: Any) -> Any:
        if quiet and verbose:
            raise BadInput("--quiet and --verbose exclude each other: give one of them")
        verbosity = Verbosity.QUIET if quiet else Verbosity.VERBOSE if verbose else Verbosity.USUAL
        return command(*args, form=OutputForm(verbosity, as_json), **kwargs)

    return with_form
