"""A section in short, as Markdown for a comment: counts, what was unexpected, where engines disagree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reports import view
from reports.budget import fitting, left_out
from reports.model import Matrix, MatrixBehaviour, MatrixCell, Section
from reports.programs_data import tally_row
from reports.text import clean, excerpt, words
from reports.unexpected import overdue, stale, unexpected, unexpected_differences

_ELSEWHERE = "are in report.html"

# Longest name and statement; with more engines than these, outcomes become lines, and engines are counted, not named.
_NAME, _STATEMENT, _COLUMNS, _NAMES = 60, 240, 6, 4


def render(matrix: Matrix) -> str:
    """The summary, cut to what a comment takes. Text from engines is escaped."""
    return fitting(lambda rows: "\n\n".join(_parts(matrix, rows)) + "\n")


def _parts(matrix: Matrix, rows: int) -> list[str]:
    """The parts of the page, with at most `rows` rows per table."""
    nothing = "Nothing: no fail, crash, timeout or error was unexpected."
    return [
        f"# Autograd conformance{_of(matrix)}",
        escape(excerpt(view.sentence(matrix), 2000)),
        f"Specification {escape(matrix.suite.version)}, revision {code(matrix.suite.revision)}.",
        *_counts(matrix, rows),
        *_tallies(matrix, rows),
        *filter(None, [view.shared(matrix)]),
        *_cells("Unexpected", unexpected(matrix), matrix, nothing, rows),
        *_stale(matrix, rows),
        *_overdue(matrix, rows),
        *_cells("Unlisted differences", unexpected_differences(matrix), matrix, "", rows),
        *_disagreements(matrix, rows),
        "Conformance is not quality: it says nothing about speed, accuracy or what else an engine offers.",
    ]


def _of(matrix: Matrix) -> str:
    return "" if matrix.section is Section.BEHAVIOURS else f": {matrix.section.title}"


def _tallies(matrix: Matrix, rows: int) -> list[str]:
    """A line per engine and kind of generated programs."""
    shown, note = left_out(matrix.tallies, 4 * rows, f"kinds {_ELSEWHERE}")
    head = ["engine", "kind", "seeds", "programs", "judged", "unsupported", "known", "new"]
    lines = [[*map(escape, tally_row(matrix, tally))] for tally in shown]
    return [*([table(head, lines)] if lines else []), *note]


def escape(text: str) -> str:
    """Text on a single line, with everything escaped that Markdown or HTML would interpret."""
    line = " ".join(clean(text).split())
    marked = re.sub(r"([\\`*_\[\]|~$])", r"\\\1", line.replace("&", "&amp;"))
    # `@name` would notify people, and `www.` or `://` would become links.
    for plain, entity in (("<", "&lt;"), (">", "&gt;"), ("@", "&#64;"), ("://", "&#58;//"), ("www.", "www&#46;")):
        marked = marked.replace(plain, entity)
    return marked


def code(text: str) -> str:
    """Text as a code span that is valid in a table."""
    # A code span cannot escape a backtick, and a table ends a cell at a bar even inside a span.
    line = " ".join(clean(text).split()).replace("`", "'").replace("|", "\\|")
    return f"`{line}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _counts(matrix: Matrix, rows: int) -> list[str]:
    """A line per engine; columns that are zero for all engines are left out."""
    # Lines of this table are short, so it may have more of them.
    shown, note = left_out(matrix.engines, 4 * rows, f"engines {_ELSEWHERE}")
    counted = [view.counts(matrix, engine) for engine in shown]
    used = [name for name in (counted[0] if counted else {}) if any(counts[name] for counts in counted)]
    lines = [
        [f"{_short(engine.column)} {_short(engine.version)}", *(f"{counts[name]:,}" for name in used)]
        for engine, counts in zip(shown, counted, strict=True)
    ]
    return [*([table(["engine", *used], lines)] if lines or not note else []), *note]


def _cells(title: str, cells: Sequence[MatrixCell], matrix: Matrix, otherwise: str, rows: int) -> list[str]:
    if not cells:
        return [f"## {title}", otherwise] if otherwise else []
    statements = {row.id: row.statement for row in matrix.behaviours}
    shown, note = left_out(cells, rows, f"cells {_ELSEWHERE}")
    lines = [
        [
            code(c.behaviour),
            _short(c.engine),
            c.verdict.value,
            escape(excerpt(statements[c.behaviour], _STATEMENT)),
            escape(excerpt(c.message)),
        ]
        for c in shown
    ]
    part = table(["behaviour", "engine", "verdict", "statement", "observed"], lines)
    return [f"## {title}", *([part] if lines else []), *note]


def _listed(title: str, lines: Sequence[str], rows: int) -> list[str]:
    shown, note = left_out(lines, rows, f"entries {_ELSEWHERE}")
    return [f"## {title}", *(["\n".join(shown)] if shown else []), *note] if lines else []


def _stale(matrix: Matrix, rows: int) -> list[str]:
    lines = [f"- {_short(column)}: {escape(excerpt(line, 400))}" for column, line in stale(matrix)]
    return _listed("Stale known failures", lines, rows)


def _overdue(matrix: Matrix, rows: int) -> list[str]:
    lines = [
        f"- {_short(cell.engine)}: {code(cell.behaviour)}, after {escape(cell.known.review_after)}"
        for cell in overdue(matrix)
        if cell.known
    ]
    return _listed("Known failures to review", lines, rows)


def _disagreements(matrix: Matrix, rows: int) -> list[str]:
    parts = ["## Where engines disagree or break a promise"]
    for group in view.disagreements(view.rows(matrix)):
        shown, note = left_out(group.rows, rows, f"behaviours {_ELSEWHERE}")
        parts += [f"**{group.title}**: {len(group.rows):,}", *_outcomes(matrix, shown), *note]
    return parts if len(parts) > 1 else [*parts, "Nowhere."]


def _outcomes(matrix: Matrix, rows: Sequence[view.TableRow]) -> list[str]:
    """A table with a column per engine; with many engines, a line per row with engines by outcome."""
    if not rows:
        return []
    columns = [_short(engine.column) for engine in matrix.engines]
    if len(columns) <= _COLUMNS:
        lines = [[_named(row.behaviour), *map(_verdict, row.cells)] for row in rows]
        return [table(["behaviour", *columns], lines)]
    return ["\n".join(f"- {_named(row.behaviour)}: {_by_outcome(row, columns)}" for row in rows)]


def _by_outcome(row: view.TableRow, columns: Sequence[str]) -> str:
    """Outcomes with their engines: the rarest are named, the others counted."""
    outcomes: dict[str, list[str]] = {}
    for column, cell in zip(columns, row.cells, strict=True):
        outcomes.setdefault(_verdict(cell), []).append(column)
    return "; ".join(
        f"{outcome} on {', '.join(names) if len(names) <= _NAMES else f'{len(names):,} engines'}"
        for outcome, names in sorted(outcomes.items(), key=lambda item: len(item[1]))
    )


def _named(behaviour: MatrixBehaviour) -> str:
    return f"{escape(excerpt(behaviour.statement, _STATEMENT))} {code(behaviour.id)}"


def _short(name: str) -> str:
    return escape(excerpt(name, _NAME))


def _verdict(cell: MatrixCell | None) -> str:
    if cell is None:
        return "not run"
    convention = f": {escape(words(cell.convention))}" if cell.convention else ""
    return f"{cell.verdict.value}{convention}{' (known)' if cell.known else ''}"
