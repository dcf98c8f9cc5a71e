"""`known`: lines for files of known failures, drafted from results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from autograd_conformance.options import json_option, results_argument
from autograd_conformance.terminal import console, print_json, print_line


@click.command()
@results_argument
@json_option
def known(results: Sequence[Path], as_json: bool) -> None:
    """Draft known failures.

    RESULTS are results files. Each fail, differs, crash or timeout that no known failure lists gets a line, which a
    person adds to the file, below its cause. Nothing is written.

    Example: autograd-conformance known conformance-report/results/*.jsonl
    """
    from autograd_conformance.known_drafts import drafted, line_of

    files = drafted(results)
    if as_json:
        print_json(files)
        return
    # With a `#` before what is no line of a file, so that all of it can be copied below a cause.
    for file in files:
        count = sum(map(len, file.drafts.values()))
        print_line(console(), f"# {file.file}: {count} drafted", style="bold")
        for part, drafts in file.drafts.items():
            for line in (f"{part} = [", *map(line_of, drafts), "]"):
                print_line(console(), line)
