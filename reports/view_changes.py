"""Cells whose verdict or convention changed since an earlier matrix."""

from __future__ import annotations

from reports.model import Matrix, MatrixCell
from reports.pairing import cells

__all__ = ["Changes", "changes"]

# (behaviour, column) to the earlier cell.
Changes = dict[tuple[str, str], MatrixCell]


def changes(matrix: Matrix, earlier: Matrix | None) -> Changes:
    """The earlier cells of those that changed. A cell that only one matrix has is no change of verdict."""
    if earlier is None:
        return {}
    return {
        (new.behaviour, new.engine): old
        for _, _, old, new in cells(earlier, matrix)
        if old and new and (old.verdict, old.convention) != (new.verdict, new.convention)
    }
