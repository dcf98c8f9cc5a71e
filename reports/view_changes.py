"""What an earlier matrix said of the same cells: behaviours may have been renamed, engines have another version."""

from __future__ import annotations

from collections import Counter

from reports.model import Behaviour, Cell, Matrix

__all__ = ["Changes", "changes"]

# The earlier cell of each behaviour and column whose verdict or answer is another now.
Changes = dict[tuple[str, str], Cell]


def changes(matrix: Matrix, earlier: Matrix | None) -> Changes:
    """The earlier cells that read otherwise now. A cell that only one matrix has is no change of verdict."""
    if earlier is None:
        return {}
    before = {(cell.behaviour, cell.engine): cell for cell in earlier.cells}
    ids = _earlier_ids(matrix, earlier)
    columns = _earlier_columns(matrix, earlier)
    found: Changes = {}
    for cell in matrix.cells:
        old = before.get((ids.get(cell.behaviour, ""), columns.get(cell.engine, "")))
        if old is not None and (old.verdict, old.answer) != (cell.verdict, cell.answer):
            found[cell.behaviour, cell.engine] = old
    return found


def _earlier_ids(matrix: Matrix, earlier: Matrix) -> dict[str, str]:
    """The earlier id of each row, which may be one that it has given up."""
    there = {row.id for row in earlier.behaviours}
    named = {row.id: [row.id, *_was(row)] for row in matrix.behaviours}
    return {id: next((name for name in names if name in there), "") for id, names in named.items()}


def _was(row: Behaviour) -> list[str]:
    """Earlier ids of a row: a behaviour is renamed with all its cases."""
    _, bracket, case = row.id.partition("[")
    return [id if "[" in id else id + bracket + case for id in row.was]


def _earlier_columns(matrix: Matrix, earlier: Matrix) -> dict[str, str]:
    """The earlier column of each: of the same name, or else the only one of the same spec."""
    same = {engine.column for engine in earlier.engines}
    times = Counter(engine.spec for engine in earlier.engines)
    only = {engine.spec: engine.column for engine in earlier.engines if times[engine.spec] == 1}
    return {e.column: e.column if e.column in same else only.get(e.spec, "") for e in matrix.engines}
