"""What an earlier matrix said of the same cells: behaviours may have been renamed, engines have another version."""

from __future__ import annotations

from reports.model import Matrix, MatrixCell
from reports.pairing import cells

__all__ = ["Changes", "changes"]

# The earlier cell of each behaviour and column whose verdict or convention is another now.
Changes = dict[tuple[str, str], MatrixCell]


def changes(matrix: Matrix, earlier: Matrix | None) -> Changes:
    """The earlier cells that read otherwise now. A cell that only one matrix has is no change of verdict."""
    if earlier is None:
        return {}
    return {
        (new.behaviour, new.engine): old
        for _, _, old, new in cells(earlier, matrix)
        if old and new and (old.verdict, old.convention) != (new.verdict, new.convention)
    }
