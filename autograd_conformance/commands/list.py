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


# Named here, as a function `list` would hide Python's.
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

    listed = behaviours_of(behaviours, chapters)
    if form.as_json:
        print_json([behaviour_record(behaviour, behaviour.ids()) for behaviour in listed])
    elif form.verbosity is Verbosity.QUIET:
        for behaviour in listed:
            print_line(console(), behaviour.id)
    else:
        _print_table(listed, verbose=form.verbosity is Verbosity.VERBOSE)


def _print_table(listed: Sequence[Behaviour], verbose: bool) -> None:
    rows = table("behaviour", "level", "statement", *(["sources", "cells"] if verbose else []))
    for behaviour in listed:
        # Not a set, whose order changes from process to process.
        sources = ", ".join(dict.fromkeys(citation.source for citation in behaviour.citations))
        more = [text(sources), text(str(len(behaviour.ids())))] if verbose else []
        rows.add_row(text(behaviour.id), behaviour.level.value, text(behaviour.statement), *more)
    shown = console()
    shown.print(rows)
    print_line(shown, f"{len(listed)} behaviours, {sum(len(behaviour.ids()) for behaviour in listed)} cells per engine")
