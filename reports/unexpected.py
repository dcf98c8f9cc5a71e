"""What nobody foresaw: what makes the exit status 1, and what is only listed."""

from __future__ import annotations

from conformance.verdicts import Verdict
from reports.model import Cell, Matrix

__all__ = ["COUNTED", "exit_status", "stale", "unexpected", "unforeseen_differences"]

COUNTED = frozenset({Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR})


def unexpected(matrix: Matrix) -> list[Cell]:
    """Cells that fail, crash, time out or are in error, and that no expectation foresaw."""
    return [cell for cell in matrix.cells if cell.verdict in COUNTED and cell.known is None]


def unforeseen_differences(matrix: Matrix) -> list[Cell]:
    """Cells that differ where nobody promised and nobody foresaw it: worth reading, no reason to fail."""
    return [cell for cell in matrix.cells if cell.verdict is Verdict.DIFFERS and cell.known is None]


def stale(matrix: Matrix) -> list[tuple[str, str]]:
    """Expectations that did not come true, each with the column that it was written for."""
    return [(engine.column, line) for engine in matrix.engines for line in engine.stale]


def exit_status(matrix: Matrix) -> int:
    """1 if anything was unexpected or any expectation is stale, else 0."""
    return int(bool(unexpected(matrix) or stale(matrix)))
