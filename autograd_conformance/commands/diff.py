"""`diff`: what changed between two runs, versions or engines."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance.options import BadInput, OutputForm, form_options
from autograd_conformance.terminal import console, print_json

if TYPE_CHECKING:
    from reports.model import Matrix, MatrixEngine
    from reports.reading import Joined

__all__ = ["diff"]

# What can be compared.
BEHAVIOURS, OPERATIONS = "behaviours", "operations"


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

    OLD and NEW are each a results file, a matrix.json, an operations.json, or a folder with one; with --in they are
    columns of one: two versions of an engine (torch@2.9.1 torch@2.13.0), or two engines. From the best verdict to the
    worst: pass, differs, absent, unsupported, fail, error, timeout, crash; down that list is a regression. Exit status
    1: something regressed.

    Example: autograd-conformance diff old/matrix.json conformance-report
    """
    from autograd_conformance.changes_output import print_changes
    from reports import changes_markdown
    from reports.changes import Kind, compare, of_kind

    if form.as_json and language != "text":
        raise BadInput("--json and --format exclude each other: give one of them")
    before, after, kind = _sides(old, new, within)
    if page and kind == OPERATIONS:
        raise BadInput(f"--html {page}: the page of changes is that of behaviours; leave it out for operations")
    found = compare(before, after)
    if page:
        _write_page(page, before, after)
    if form.as_json:
        print_json(found)
    elif language == "markdown":
        print(changes_markdown.render(found), end="")
    else:
        print_changes(console(), found, form.verbosity)
    sys.exit(int(bool(of_kind(found, Kind.REGRESSED))))


def _sides(old: str, new: str, within: Path | None) -> tuple[Matrix, Matrix, str]:
    """The two matrices to compare, at two paths or two columns of one; and of what they are."""
    from reports.reading import joined_parts

    if within is None:
        return _alike(old, new)
    kind, both = next(iter(_kinds(joined_parts([within])).items()))
    return _column(both, old, within), _column(both, new, within), kind


def _alike(old: str, new: str) -> tuple[Matrix, Matrix, str]:
    """The behaviours of two paths, or else their operations. Raises BadInput where they have neither in common."""
    before, after = _kinds(_at(old)), _kinds(_at(new))
    common = [kind for kind in before if kind in after]
    if not common:
        raise BadInput(f"{new}: has {', '.join(after)}, but {old} has {', '.join(before)}; give two of one kind")
    if len(common) > 1:
        click.echo(f"only {common[0]} are compared; for {common[1]}, give both operations.json", err=True)
    return before[common[0]], after[common[0]], common[0]


def _kinds(found: Joined) -> dict[str, Matrix]:
    """What there is, by its name, as matrices."""
    from reports.operations import matrix_of

    kinds = {BEHAVIOURS: found.matrix, OPERATIONS: found.operations and matrix_of(found.operations)}
    return {kind: matrix for kind, matrix in kinds.items() if matrix}


def _at(name: str) -> Joined:
    """What is at a path. The error names --in, as a column is easily given without it."""
    from reports.reading import joined_parts

    if not os.path.lexists(name):
        remedy = "give a results file, a matrix.json or a folder; for two columns of one of these, name it by --in"
        raise BadInput(f"{name}: No such file or directory; {remedy}")
    return joined_parts([Path(name)])


def _column(matrix: Matrix, name: str, path: Path) -> Matrix:
    """The matrix with one column alone. Raises BadInput if the name fits no column, or several."""
    import msgspec

    column = _engine(matrix, name, path).column
    return msgspec.structs.replace(
        matrix,
        engines=[engine for engine in matrix.engines if engine.column == column],
        cells=[cell for cell in matrix.cells if cell.engine == column],
    )


def _engine(matrix: Matrix, name: str, path: Path) -> MatrixEngine:
    """By the column's name, else as `spec@version`, else by the spec if there is one version of it."""
    # From the strictest to the loosest: `torch` is a column if one version was run, else it is ambiguous.
    for called in (
        lambda engine: engine.column,
        lambda engine: f"{engine.spec}@{engine.version}",
        lambda engine: engine.spec,
    ):
        found = [engine for engine in matrix.engines if called(engine) == name]
        if len(found) == 1:
            return found[0]
    columns = [engine.column for engine in matrix.engines]
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(columns) or 'none'}"
    raise BadInput(f"{path}: has no column {name!r}; {hint}")


def _write_page(page: Path, before: Matrix, after: Matrix) -> None:
    from reports import html
    from reports.files import replace_all
    from reports.pairing import aligned

    replace_all(page.parent, {page.name: html.render(after, aligned(before, after)).encode()})
