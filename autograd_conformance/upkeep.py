"""The commands by which the suite is kept true: what cites what, what is covered, what drifted, what to foresee."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograd_conformance.completion import behaviours
from autograd_conformance.shared import Form, chapters_option, form_options, json_option, one_line_errors

__all__ = ["citations", "coverage", "findings", "foresee", "trace"]


@click.command()
@click.argument("words", nargs=-1, required=True, shell_complete=behaviours)
@chapters_option
@form_options
@one_line_errors
def trace(words: tuple[str, ...], chapters: Path | None, form: Form) -> None:
    """Find the behaviours that cite a page or name, and back.

    WORDS are pages (notes/autograd, 000), names (torch.Tensor.backward, or the beginning of one), or behaviours.

    Example: autograd-conformance trace jax.grad
    """
    from autograd_conformance.tracing import commands

    commands.trace(words, chapters, form)


@click.command()
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write the page to this file.")
@click.option("--refresh", metavar="LIBRARY", help="First read the public names from the library installed here.")
@json_option
@one_line_errors
def coverage(output: Path | None, refresh: str | None, as_json: bool) -> None:
    """Count the behaviours that cite each public name.

    The names are those about differentiation; the page is Markdown or JSON.

    Example: autograd-conformance coverage --output docs/api-coverage.md
    """
    from autograd_conformance.tracing import commands

    commands.coverage(output, refresh, as_json)


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of known failures, if not the engine's own.",
)
@click.option("--write", is_flag=True, help="Change the file; its comments and its order are kept.")
@json_option
@one_line_errors
def foresee(results: tuple[Path, ...], file: Path | None, write: bool, as_json: bool) -> None:
    """Draft known failures for cells that nobody foresaw.

    Those that did not come true are marked. RESULTS are results files of runs, or a matrix.json. A draft lacks its
    reason: until somebody writes it, the next run refuses the file.

    Example: autograd-conformance foresee conformance-report/results/*.jsonl
    """
    from autograd_conformance.foreseeing import commands

    commands.foresee(results, file, write, as_json)


@click.command()
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write the page to this file.")
@json_option
@one_line_errors
def findings(output: Path | None, as_json: bool) -> None:
    """List where engines do otherwise than is documented.

    The page is for their maintainers, as Markdown or JSON.

    Example: autograd-conformance findings --output docs/findings.md
    """
    from autograd_conformance.foreseeing import commands

    commands.findings(output, as_json)


@click.command()
@click.argument("library")
@click.option(
    "--record", is_flag=True, help="Note the docstrings that were never compared; drop those not cited any more."
)
@click.option("--accept", multiple=True, metavar="NAME", help="Note a changed docstring as read. Repeatable.")
@form_options
@one_line_errors
def citations(library: str, record: bool, accept: tuple[str, ...], form: Form) -> None:
    """Compare what is cited of LIBRARY with the one installed here.

    LIBRARY is torch or jax. Exit status 1 says that a cited name does not exist, or was never compared. A changed
    docstring is drift: it is reported, with the behaviours that cite it, and is no failure.

    Example: autograd-conformance citations jax
    """
    from autograd_conformance.tracing import commands

    sys.exit(commands.citations(library, record, accept, form))
