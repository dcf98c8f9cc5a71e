"""What every command shares: how it refuses bad input in one line, and the options that several have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

__all__ = ["BadInput", "chapters_option", "one_line_errors"]


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
