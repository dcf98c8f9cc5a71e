"""`list`: the behaviours of the specification."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance import completion
from autograd_conformance.options import BadInput, OutputForm, Verbosity, chapters_option, form_options
from autograd_conformance.terminal import console, print_json, print_line, text
from reports.text import clean

if TYPE_CHECKING:
    from conformance.behaviour import Behaviour


# Named here, as a function `list` would hide Python's.
@click.command("list")
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@click.option("--search", metavar="WORDS", help="Those that fit these words best, first; a message fits too.")
@chapters_option
@form_options
def list_(behaviours: Sequence[str], search: str | None, chapters: Path | None, form: OutputForm) -> None:
    """List behaviours with level and statement.

    BEHAVIOURS are chapters, ids or cases (default: all). Fields are apart by tabs where the output is no terminal.

    Example: autograd-conformance list graph_lifetime

    By words: autograd-conformance list --search "retain graph"
    """
    from autograd_conformance.search import best
    from autograd_conformance.selection import behaviours_of
    from conformance.behaviour_records import behaviour_record

    listed = behaviours_of(behaviours, chapters)
    if search is not None and not (listed := best(search, listed)):
        raise BadInput(f"no behaviour fits {search!r}; use other words, or fewer")
    if form.as_json:
        print_json([behaviour_record(behaviour, behaviour.ids()) for behaviour in listed])
        return
    shown = console()
    for behaviour in listed:
        fields = _fields(behaviour, form.verbosity)
        if shown.is_terminal:
            print_line(shown, text(fields[0], "bold"))
            for field in fields[1:]:
                print_line(shown, f"    {field}")
        else:
            # Not by rich, which makes blanks of tabs.
            print("\t".join(map(clean, fields)))
    if shown.is_terminal and form.verbosity is not Verbosity.QUIET:
        cells = sum(len(behaviour.ids()) for behaviour in listed)
        print_line(shown, f"{len(listed)} behaviours, {cells} cells per engine")


def _fields(behaviour: Behaviour, verbosity: Verbosity) -> list[str]:
    """Id, level and statement; with -q the id alone, with -v also sources and the number of cells."""
    fields = [behaviour.id, behaviour.level.value, behaviour.statement]
    # Not a set, whose order changes from process to process.
    sources = ", ".join(dict.fromkeys(citation.source for citation in behaviour.citations))
    more = [sources, f"{len(behaviour.ids())} cells"] if verbosity is Verbosity.VERBOSE else []
    return fields[:1] if verbosity is Verbosity.QUIET else [*fields, *more]
