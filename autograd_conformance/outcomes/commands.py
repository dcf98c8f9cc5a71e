"""What `report`, `merge` and `diff` do, and how a run ends. Imported only when one of them runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from autograd_conformance.outcomes import changes_display, display
from autograd_conformance.outcomes.columns import only
from autograd_conformance.outcomes.records import outcome_record
from autograd_conformance.shared import Form, Talk
from autograd_conformance.terminal import console, print_json
from reports import changes_markdown, view
from reports.changes import Kind, compare, of_kind
from reports.files import ReportError, replace_all
from reports.matrix import save
from reports.model import Matrix
from reports.pairing import aligned
from reports.reading import joined
from reports.unexpected import exit_status

__all__ = ["diff", "merge", "report", "reported", "sides"]


def report(paths: Sequence[Path], output: Path, slowest: int, form: Form) -> int:
    """Join results and matrices into a report; name so many of the slowest cells. Returns the exit status."""
    return reported(joined(paths), output, form, slowest)


def reported(matrix: Matrix, output: Path, form: Form, slowest: int = 0) -> int:
    """Write the report, and say what is unexpected. Returns the exit status."""
    from reports.write import write_all  # the template engine is of no use to the other commands

    files = write_all(matrix, output)
    longest = view.slowest(matrix, slowest)
    if form.as_json:
        print_json(outcome_record(matrix, files, longest))
        return exit_status(matrix)
    _tell(matrix, form.talk, f"report: {output / 'report.html'}")
    if slowest:
        display.slowest(console(), longest)
    return exit_status(matrix)


def _tell(matrix: Matrix, talk: Talk, where: str) -> None:
    shown = console()
    if talk is not Talk.QUIET:
        display.counts(shown, matrix)
    display.unexpected_cells(shown, matrix, talk)
    if talk is not Talk.QUIET:
        shown.print(where, soft_wrap=True, highlight=False, markup=False)


def merge(paths: Sequence[Path], output: Path, form: Form) -> None:
    """Join results and matrices into one matrix.json."""
    matrix = joined(paths)
    save(matrix, output)
    if form.as_json:
        print_json(outcome_record(matrix, [output]))
        return
    if form.talk is not Talk.QUIET:
        display.counts(console(), matrix)
        console().print(f"matrix: {output}", soft_wrap=True, highlight=False, markup=False)


def diff(before: Matrix, after: Matrix, page: Path | None, as_markdown: bool, form: Form) -> int:
    """Say what changed between two matrices. Returns 1 if anything regressed, else 0."""
    found = compare(before, after)
    if page:
        from reports import html

        replace_all(page.parent, {page.name: html.render(after, aligned(before, after)).encode()})
    if form.as_json:
        print_json(found)
    elif as_markdown:
        print(changes_markdown.render(found), end="")
    else:
        changes_display.changes(console(), found, form.talk)
    return int(bool(of_kind(found, Kind.REGRESSED)))


def sides(old: str, new: str, within: Path | None) -> tuple[Matrix, Matrix]:
    """What is compared: two paths, or two columns of what lies within one."""
    if within is None:
        return _side(old), _side(new)
    both = joined([within])
    return only(both, old, within), only(both, new, within)


def _side(name: str) -> Matrix:
    """What lies at a path. A column's name is easily given without --in, so the refusal tells of it."""
    if not os.path.lexists(name):
        remedy = "give a results file, a matrix.json or a folder; for two columns of one, say with --in which"
        raise ReportError(f"{name}: No such file or directory; {remedy}")
    return joined([Path(name)])
