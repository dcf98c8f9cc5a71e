"""A section as CSV, a row per cell, for a spreadsheet or a data frame."""

from __future__ import annotations

import csv
import io

from reports.model import Matrix
from reports.text import clean, excerpt

HEAD = (
    *("behaviour", "chapter", "level", "statement", "engine", "version"),
    *("verdict", "convention", "reason", "known", "kind", "message", "duration_s", "programs", "seed"),
)

# A spreadsheet takes what begins so for a formula; some also take the wide forms of East Asian fonts.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def render(matrix: Matrix) -> str:
    """All cells, in the order of the matrix.

    `message` is the first line of what was observed, `known` and `kind` the reason of the known failure and the kind of
    its cause; `programs` and `seed` are
    of generated programs: how many show it, and the first as KIND:SEED.
    """
    # Once per row and column, not per cell: there may be 40,000 cells.
    rows = {row.id: [*map(inert, (row.id, row.chapter, row.level, row.statement))] for row in matrix.behaviours}
    engines = {engine.column: [*map(inert, (engine.column, engine.version))] for engine in matrix.engines}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for cell in matrix.cells:
        known = (excerpt(cell.known.reason), cell.known.kind_name) if cell.known else ("", "")
        why = cell.reason.value if cell.reason else ""
        texts = map(inert, (cell.verdict.value, cell.convention or "", why, *known, excerpt(cell.message)))
        programs = (sum(cell.counts.values()) or "", cell.program.name if cell.program else "")
        writer.writerow([*rows[cell.behaviour], *engines[cell.engine], *texts, f"{cell.duration_s:.4f}", *programs])
    return stream.getvalue()


def inert(text: str) -> str:
    """The text on a single line, with an apostrophe before what a spreadsheet would compute."""
    line = " ".join(clean(text).split())
    return f"'{line}" if line.startswith(_FORMULA) else line
