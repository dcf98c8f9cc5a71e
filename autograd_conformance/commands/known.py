"""`known`: entries for known failures, drafted from results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance.options import json_option, results_argument
from autograd_conformance.terminal import console, print_json, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from autograd_conformance.known_drafts import KnownFileRecord

__all__ = ["known"]


@click.command()
@results_argument
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of known failures, if not the engine's own.",
)
@click.option("--write", is_flag=True, help="Change the file; comments and order are kept.")
@json_option
def known(results: Sequence[Path], file: Path | None, write: bool, as_json: bool) -> None:
    """Draft known failures, and mark stale ones.

    RESULTS are results files, or a matrix.json. Each fail, differs, crash or timeout without an entry gets one; each
    entry that does not occur as it says is marked. A drafted entry has no reason yet: until a person writes one, a run
    with that file is an error.

    Example: autograd-conformance known conformance-report/results/*.jsonl
    """
    from autograd_conformance.known_drafts import columns, drafted
    from autograd_conformance.known_editing import edit

    # All are drafted before any is written: a bad file must not leave another one changed.
    found = drafted([column for path in results for column in columns(path)], file)
    for one in found:
        if not as_json:
            _print(console(), one)
        if write and (one.drafts or Path(one.file).exists()):
            edit(one)
            one.written = True
        if not as_json and (one.drafts or one.stale):
            print_line(console(), _what_next(write))
    if as_json:
        print_json(found)


def _print(shown: Console, one: KnownFileRecord) -> None:
    """The changes of one file, as they would read in it."""
    from autograd_conformance.known_editing import entry_text
    from reports.text import excerpt

    print_line(shown, f"# {one.file}: {len(one.drafts)} drafted, {len(one.stale)} stale", style="bold")
    for draft in one.drafts:
        print_line(shown, entry_text(draft))
    for entry in one.stale:
        print_line(shown, f"# entry {entry.entry} is stale: {excerpt(entry.problem, 400)}")


def _what_next(written: bool) -> str:
    if not written:
        return "# nothing is written yet; --write changes the file"
    return "# written; now give each draft a reason, or fix the engine: until then a run with this file is an error"
