"""What commands share: how they refuse bad input in one line, how much they say, and the options that several have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import wraps
from pathlib import Path
from typing import Any

import click

__all__ = [
    "BadInput",
    "Form",
    "Talk",
    "chapters_option",
    "form_options",
    "json_option",
    "one_line_errors",
    "output_option",
]


class Talk(IntEnum):
    """How much a command says: names and what is unexpected only; the usual; everything, and messages in full."""

    QUIET = -1
    USUAL = 0
    VERBOSE = 1


@dataclass(frozen=True)
class Form:
    """How an answer is to be given."""

    talk: Talk = Talk.USUAL
    as_json: bool = False


class BadInput(click.ClickException):
    """The call, or a file that it names, is wrong: one line, exit status 2."""

    exit_code = 2


def one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn what the suite refuses into BadInput. The modules that define those errors are imported only here."""

    @wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        from autograd_conformance import refusals

        try:
            return command(*args, **kwargs)
        except refusals.REFUSALS as error:
            raise BadInput(" ".join(str(error).split())) from error

    return guarded


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

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, and nothing else (docs/outputs.md).")


def form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --json, --quiet and --verbose; it receives all three as one, `form`."""

    @json_option
    @click.option("--quiet", "-q", is_flag=True, help="Print only names, and what is unexpected.")
    @click.option("--verbose", "-v", is_flag=True, help="Print everything, and messages in full.")
    @wraps(command)
    def formed(*args: Any, as_json: bool, quiet: bool, verbose: bool, **kwargs: Any) -> Any:
        if quiet and verbose:
            raise BadInput("--quiet and --verbose exclude each other: give one of them")
        talk = Talk.QUIET if quiet else Talk.VERBOSE if verbose else Talk.USUAL
        return command(*args, form=Form(talk, as_json), **kwargs)

    return formed
