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

    RESULTS are results files, or the JSON of sections. Each fail, differs, crash or timeout without an entry gets one;
    each entry that does not occur as it says is marked. A drafted entry has no cause yet: until a person moves it to
    one, or writes the reason, a run with that file is an error.

    Example: autograd-conformance known conformance-report/results/*.jsonl
    """
    from autograd_conformance.known_drafts import columns, drafted
    from autograd_conformance.known_edits import edit

    # All are drafted before any is written: a bad file must not leave another one changed.
    files = drafted([column for path in results for column in columns(path)], file)
    for changes in files:
        if not as_json:
            _print(console(), changes)
        if write and (changes.drafts or Path(changes.file).exists()):
            edit(changes)
            changes.written = True
        if not as_json and (changes.drafts or changes.stale):
            print_line(console(), _next_step(write))
    if as_json:  # one value for all files, after the last edit: a record has whether its file was written
        print_json(files)


def _print(terminal: Console, changes: KnownFileRecord) -> None:
    """Print the changes of one file, as they would read in it."""
    from autograd_conformance.known_edits import line_of
    from reports.text import excerpt

    drafts, stale = changes.drafts, changes.stale
    print_line(terminal, f"# {changes.file}: {len(drafts)} drafted, {len(stale)} stale", style="bold")
    for draft in drafts:
        print_line(terminal, line_of(draft))
    for entry in stale:
        print_line(terminal, f"# stale below cause {entry.cause}: {excerpt(entry.problem, 400)}")


# With a `#`, so that all that is printed can be a TOML file.
def _next_step(written: bool) -> str:
    if not written:
        return "# nothing is written yet; --write changes the file"
    return "# written; now give each draft a cause, or fix the engine: until then a run with this file is an error"
