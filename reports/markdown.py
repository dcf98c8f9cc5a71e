"""A section in short, and what changed, as Markdown for a comment on a pull request.

The text is in templates; everything that they print passes `escape`, unless it is markup that a filter made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from reports import view
from reports.changes import Changes, Kind, of_kind
from reports.changes_text import by_behaviour, compared, moved, titles
from reports.model import Matrix, MatrixCell
from reports.operations import engine_wide
from reports.page_templates import environment
from reports.programs_data import tally_row
from reports.text import clean, excerpt, words
from reports.unexpected import overdue, stale, unexpected, unexpected_differences

# GitHub rejects comments of more than 65,536 characters; the rest is for the text that an action puts around the page.
COMMENT = 60_000
# Rows per table, in this order until the page fits. Longer tables are not read in a comment.
ROWS = (25, 10, 3, 1, 0)
# With more engines than these, a table with a column for each would be too wide to read.
_COLUMNS = 6


def render(matrix: Matrix) -> str:
    """A section: counts, what was unexpected, where engines disagree."""
    counts = view.counts(matrix)
    return _page(
        "summary.md.j2",
        matrix=matrix,
        sentence=view.sentence(matrix),
        shared=view.shared(matrix),
        counts=counts,
        used=view.used(counts),
        wide=engine_wide(matrix),
        tallies=[tally_row(matrix, tally) for tally in matrix.tallies],
        statements={row.id: row.statement for row in matrix.behaviours},
        unexpected=unexpected(matrix),
        stale=stale(matrix),
        overdue=overdue(matrix),
        differences=unexpected_differences(matrix),
        disagreements=view.disagreements(view.rows(matrix)),
        columns=["behaviour", *(engine.column for engine in matrix.engines)],
        many=len(matrix.engines) > _COLUMNS,
        outcome_of=_outcome,
        by_outcome=lambda row: _by_outcome(row, [engine.column for engine in matrix.engines]),
    )


def render_changes(changes: Changes) -> str:
    """Changes between two matrices, by kind."""
    cells = {kind: of_kind(changes, kind) for kind in Kind}
    one_sided = (Kind.ADDED, Kind.REMOVED)
    return _page(
        "changes.md.j2",
        changes=changes,
        titles=titles(changes),
        compared=compared(changes),
        # Between versions of an engine there is no such kind: its zero would only raise a question.
        counts=", ".join(f"{len(its):,} {_COUNTED[kind]}" for kind, its in cells.items() if its or kind != "feature"),
        cells=[(kind, its) for kind, its in cells.items() if kind not in one_sided],
        one_sided=[(kind, by_behaviour(cells[kind])) for kind in one_sided],
        moved=moved,
    )


_COUNTED = {kind: kind.value for kind in Kind} | {
    Kind.CONVENTION: "with another convention",
    Kind.MESSAGE: "with another message",
    Kind.FEATURE: "of which only one engine has the feature",
}


def _page(name: str, **variables: Any) -> str:
    """A template with the most rows per table that fit a comment; truncated if it is too long even without rows."""
    pages = environment(
        lambda text: Markup(escape(text)), code=code, excerpt=excerpt, short=lambda name: excerpt(name, 60)
    )
    template = pages.get_template(name)
    for rows in ROWS:
        # A part that prints nothing leaves its empty lines.
        text = re.sub(r"\n{3,}", "\n\n", template.render(variables, rows=rows)).strip("\n") + "\n"
        if len(text) <= COMMENT:
            return text
    return text[: text.rfind("\n", 0, COMMENT) + 1]  # at a line: half a table row would be markup


def escape(text: str) -> str:
    """Text on a single line, with everything escaped that Markdown or HTML would interpret."""
    line = " ".join(clean(text).split())
    marked = re.sub(r"([\\`*_\[\]|~$])", r"\\\1", line.replace("&", "&amp;"))
    # `@name` would notify people, and `www.` or `://` would become links.
    for plain, entity in (("<", "&lt;"), (">", "&gt;"), ("@", "&#64;"), ("://", "&#58;//"), ("www.", "www&#46;")):
        marked = marked.replace(plain, entity)
    return marked


def code(text: str) -> Markup:
    """Text as a code span that is valid in a table."""
    # A code span cannot escape a backtick, and a table ends a cell at a bar even inside a span.
    line = " ".join(clean(text).split()).replace("`", "'").replace("|", "\\|")
    return Markup(f"`{line}`")


def _outcome(cell: MatrixCell | None) -> str:
    if cell is None:
        return "not run"
    convention = f": {words(cell.convention)}" if cell.convention else ""
    known = " (engine-wide)" if cell.engine_wide else " (known)" if cell.known else ""
    return f"{cell.verdict.value}{convention}{known}"


def _by_outcome(row: view.TableRow, columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Outcomes with their engines, the rarest first."""
    outcomes: dict[str, list[str]] = {}
    for column, cell in zip(columns, row.cells, strict=True):
        outcomes.setdefault(_outcome(cell), []).append(column)
    # The rarest outcome is the likeliest mistake, and is to be read first.
    return sorted(outcomes.items(), key=lambda item: len(item[1]))
