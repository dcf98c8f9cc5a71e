"""`diff`: what changed between two runs, versions or engines."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance.options import BadInput, OutputForm, form_options
from autograd_conformance.terminal import console, print_json

if TYPE_CHECKING:
    from reports.model import Matrix, MatrixEngine, Section


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--in", "within", metavar="PATH", type=click.Path(path_type=Path), help="OLD and NEW are columns of this."
)
@click.option("--format", "language", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the report of NEW, with the changes marked.",
)
@form_options
def diff(old: str, new: str, within: Path | None, language: str, page: Path | None, form: OutputForm) -> None:
    """List what changed from OLD to NEW.

    OLD and NEW are each a results file, the JSON of a report's section, or a folder with one; with --in they are
    columns of one: two versions of an engine (torch@2.9.1 torch@2.13.0), or two engines. From the best verdict to the
    worst: pass, differs, absent, unsupported, fail, error, timeout, crash; down that list is a regression. Exit status
    1: something regressed.

    Example: autograd-conformance diff old/matrix.json conformance-report
    """
    from autograd_conformance.changes_output import print_changes
    from reports import markdown
    from reports.changes import Kind, compare, of_kind
    from reports.model import Section

    if form.as_json and language != "text":
        raise BadInput("--json and --format exclude each other: give one of them")
    before, after = _sides(old, new, within)
    if page and after.section is not Section.BEHAVIOURS:
        title = after.section.title
        raise BadInput(f"--html {page}: the page of changes is that of behaviours; leave it out for {title}")
    changes = compare(before, after)
    # Before the answer: where the page cannot be written, the error is all that is printed.
    if page:
        _write_page(page, before, after)
    if form.as_json:
        print_json(changes)
    elif language == "markdown":
        # Not by rich, which would take brackets, as of links, for markup of its own.
        print(markdown.render_changes(changes), end="")
    else:
        print_changes(console(), changes, form.verbosity)
    # Only a regression: an improvement or another message must not fail a build.
    sys.exit(int(bool(of_kind(changes, Kind.REGRESSED))))


def _sides(old: str, new: str, within: Path | None) -> tuple[Matrix, Matrix]:
    """Read the two matrices to compare, of paths or columns of a matrix. Raises BadInput if no section is in both."""
    from reports.sources import joined_sections

    if within is not None:
        # Of several sections the first, as for two folders it is the first that both have.
        both = next(iter(joined_sections([within]).sections.values()))
        return _column(both, old, within), _column(both, new, within)
    before, after = _at(old), _at(new)
    common = [section for section in before if section in after]
    if not common:
        # In the order of the sentence, which names the new side first.
        has = (", ".join(section.title for section in sections) for sections in (after, before))
        raise BadInput(f"{new}: has {next(has)}, but {old} has {next(has)}; give two of one kind")
    if len(common) > 1:
        others = " and ".join(f"{section.value}.json" for section in common[1:])
        # On standard error, as the answer may be JSON or a comment in Markdown.
        click.echo(f"only {common[0].title} are compared; for the rest, give both {others}", err=True)
    return before[common[0]], after[common[0]]


def _at(name: str) -> Mapping[Section, Matrix]:
    """The sections at a path. The error names --in, as a column is easily given without it."""
    from reports.sources import joined_sections

    # Not `exists`: a link that is broken gets the error of reading it, which this remedy would not fit.
    if not os.path.lexists(name):
        remedy = "give a results file, a matrix.json or a folder; for two columns of one of these, name it by --in"
        raise BadInput(f"{name}: No such file or directory; {remedy}")
    return joined_sections([Path(name)]).sections


def _column(matrix: Matrix, name: str, path: Path) -> Matrix:
    """The matrix with a single column. Raises BadInput if the name fits no column, or several."""
    import msgspec

    column = _engine(matrix, name, path).column
    return msgspec.structs.replace(
        matrix,
        engines=[engine for engine in matrix.engines if engine.column == column],
        cells=[cell for cell in matrix.cells if cell.engine == column],
    )


def _engine(matrix: Matrix, name: str, path: Path) -> MatrixEngine:
    """By the column's name, else as `spec@version`, else by the spec if it has a single version."""
    # `torch` is a column if a single version was run, else it is ambiguous.
    for names in zip(*(engine.names for engine in matrix.engines), strict=True):
        if names.count(name) == 1:
            return matrix.engines[names.index(name)]
    # Only columns are suggested: they alone are never ambiguous.
    columns = [engine.column for engine in matrix.engines]
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(columns) or 'none'}"
    raise BadInput(f"{path}: has no column {name!r}; {hint}")


def _write_page(page: Path, before: Matrix, after: Matrix) -> None:
    from reports import html
    from reports.files import replace_all

    replace_all(page.parent, {page.name: html.render(after, before).encode()})
