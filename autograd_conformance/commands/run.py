"""`run`: behaviours on engines, then the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograd_conformance import completion
from autograd_conformance.options import OutputForm, chapters_option, form_options
from autograd_conformance.run_options import options_of, run_and_report, with_run_options

if TYPE_CHECKING:
    from conformance.running.options import Options


@click.command()
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@with_run_options
@click.option("--scripts", is_flag=True, help="Also derive each cell's program in the engine's API, for the page.")
@chapters_option
@form_options
def run(
    engines: Sequence[str],
    behaviours: Sequence[str],
    form: OutputForm,
    chapters: Path | None,
    output: Path,
    scripts: bool,
    **given: Any,
) -> None:
    """Run behaviours on engines, and write the report.

    BEHAVIOURS are chapters, ids or cases (default: all). Exit status 1: a fail, crash, timeout or error that is not a
    known failure, or a known failure that no longer occurs.

    Example: autograd-conformance run --engine reference accumulation hooks
    """
    run_and_report(engines, lambda: _options(behaviours, chapters, output, **given), form, scripts=scripts)


def _options(words: Sequence[str], folder: Path | None, output: Path, **given: Any) -> Options:
    """The options of a run. Raises SelectionError."""
    from autograd_conformance.selection import cells_of, suite
    from conformance.collection import CHAPTERS

    declared = suite(folder)
    cells = cells_of(words, declared)
    # Of other chapters, no run is the whole suite.
    complete = folder is None and len(cells) == sum(len(behaviour.ids()) for behaviour in declared)
    return options_of(declared, cells, (folder or CHAPTERS).resolve(), output, complete=complete, **given)
