"""The matrix in short, as Markdown: counts, what was not foreseen, where engines disagree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reports import view
from reports.model import Behaviour, Cell, Matrix
from reports.text import clean, excerpt, words
from reports.unexpected import overdue, stale, unexpected, unforeseen_differences

__all__ = ["code", "escape", "render"]


def render(matrix: Matrix) -> str:
    """The whole summary. Text from engines cannot make links, mentions, cells or HTML of its own."""
    parts = [
        "# Autograd conformance",
        escape(view.sentence(matrix)),
        f"Specification {escape(matrix.suite.version)}, revision {code(matrix.suite.revision)}.",
        _counts(matrix),
        *filter(None, [view.shared(matrix)]),
        *_cells("Unexpected", unexpected(matrix), matrix, "Nothing: no fail, crash, timeout or error was unforeseen."),
        *_stale(matrix),
        *_overdue(matrix),
        *_cells("Differs, and nobody foresaw it", unforeseen_differences(matrix), matrix, ""),
        *_disagreements(matrix),
        "Conformance is not quality: it says nothing about speed, accuracy or what else an engine offers.",
    ]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text on one line, in which Markdown and HTML find nothing to act on."""
    line = " ".join(clean(text).split())
    marked = re.sub(r"([\\`*_\[\]|~$])", r"\\\1", line.replace("&", "&amp;"))
    # `@name` would notify people, and `www.` or `://` would become links.
    for plain, entity in (("<", "&lt;"), (">", "&gt;"), ("@", "&#64;"), ("://", "&#58;//"), ("www.", "www&#46;")):
        marked = marked.replace(plain, entity)
    return marked


def code(text: str) -> str:
    """Text as a code span, which may stand in a table."""
    line = " ".join(clean(text).split()).replace("`", "'").replace("|", "\\|")
    return f"`{line}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _counts(matrix: Matrix) -> str:
    """A line per engine; a column that is zero for all engines would only make the table wide."""
    found = [view.counts(matrix, engine) for engine in matrix.engines]
    used = [name for name in (found[0] if found else {}) if any(counts[name] for counts in found)]
    rows = [
        [f"{escape(engine.column)} {escape(engine.version)}", *(str(counts[name]) for name in used)]
        for engine, counts in zip(matrix.engines, found, strict=True)
    ]
    return _table(["engine", *used], rows)


def _cells(title: str, cells: Sequence[Cell], matrix: Matrix, otherwise: str) -> list[str]:
    if not cells:
        return [f"## {title}", otherwise] if otherwise else []
    statements = {row.id: row.statement for row in matrix.behaviours}
    rows = [
        [
            code(c.behaviour),
            escape(c.engine),
            c.verdict.value,
            escape(statements[c.behaviour]),
            escape(excerpt(c.message)),
        ]
        for c in cells
    ]
    return [f"## {title}", _table(["behaviour", "engine", "verdict", "statement", "observed"], rows)]


def _stale(matrix: Matrix) -> list[str]:
    lines = [f"- {escape(column)}: {escape(excerpt(line, 400))}" for column, line in stale(matrix)]
    return ["## Expectations that did not come true", "\n".join(lines)] if lines else []


def _overdue(matrix: Matrix) -> list[str]:
    lines = [
        f"- {escape(cell.engine)}: {code(cell.behaviour)}, after {escape(cell.known.review_after)}"
        for cell in overdue(matrix)
        if cell.known
    ]
    return ["## Expectations to review", "\n".join(lines)] if lines else []


def _disagreements(matrix: Matrix) -> list[str]:
    parts = ["## Where engines disagree or break a promise"]
    head = ["behaviour", *(escape(engine.column) for engine in matrix.engines)]
    for group in view.disagreements(view.rows(matrix)):
        rows = [[_named(row.behaviour), *map(_verdict, row.cells)] for row in group.rows]
        parts += [f"**{group.title}**", _table(head, rows)]
    return parts if len(parts) > 1 else [*parts, "Nowhere."]


def _named(behaviour: Behaviour) -> str:
    return f"{escape(behaviour.statement)} {code(behaviour.id)}"


def _verdict(cell: Cell | None) -> str:
    if cell is None:
        return "not run"
    answer = f": {escape(words(cell.answer))}" if cell.answer else ""
    return f"{cell.verdict.value}{answer}{' (known)' if cell.known else ''}"
