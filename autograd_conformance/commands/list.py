"""`list`: the behaviours of the specification."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance import completion
from autograd_conformance.options import OutputForm, Verbosity, chapters_option, form_options
from autograd_conformance.terminal import console, print_json, print_line, table, text

if TYPE_CHECKING:
    from conformance.behaviour import Behaviour

__all__ = ["list_"]


@click.command("list")
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@chapters_option
@form_options
def list_(behaviours: Sequence[str], chapters: Path | None, form: OutputForm) -> None:
    """List behaviours with level and statement.

    BEHAVIOURS are chapters, ids or cases (default: all).

    Example: autograd-conformance list graph_lifetime
    """
    from autograd_conformance.selection import behaviours_of
    from conformance.behaviour_records import behaviour_record

    found = behaviours_of(behaviours, chapters)
    if form.as_json:
        print_json([behaviour_record(one, one.ids()) for one in found])
    elif form.verbosity is Verbosity.QUIET:
        for one in found:
            print_line(console(), one.id)
    else:
        _print_table(found, verbose=form.verbosity is Verbosity.VERBOSE)


def _print_table(found: Sequence[Behaviour], verbose: bool) -> None:
    rows = table("behaviour", "level", "statement", *(["sources", "cells"] if verbose else []))
    for one in found:
        sources = ", ".join(dict.fromkeys(citation.source for citation in one.citations))
        more = [text(sources), text(str(len(one.ids())))] if verbose else []
        rows.add_row(text(one.id), one.level.value, text(one.statement), *more)
    shown = console()
    shown.print(rows)
    print_line(shown, f"{len(found)} behaviours, {sum(len(one.ids()) for one in found)} cells per engine")
