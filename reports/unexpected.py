"""Unexpected cells, which no known failure lists: each makes the exit status 1, or is only reported."""

from __future__ import annotations

from conformance.verdicts import Verdict
from reports.model import Matrix, MatrixCell

# `differs` is allowed, absent and unsupported are no outcome of the engine.
COUNTED = frozenset({Verdict.FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR})


def unexpected(matrix: Matrix) -> list[MatrixCell]:
    """Cells that fail, crash, time out or are in error, and are not known failures."""
    return [cell for cell in matrix.cells if cell.verdict in COUNTED and cell.known is None]


def unexpected_differences(matrix: Matrix) -> list[MatrixCell]:
    """Unlisted cells that differ: worth reading, no reason to fail."""
    return [cell for cell in matrix.cells if cell.verdict is Verdict.DIFFERS and cell.known is None]


def stale(matrix: Matrix) -> list[tuple[str, str]]:
    """Stale known failures, each with the column that it was written for."""
    return [(engine.column, line) for engine in matrix.engines for line in engine.stale]


def overdue(matrix: Matrix) -> list[MatrixCell]:
    """Known cells whose entry was to be reviewed before its engine was run: worth a look, no reason to fail.

    The day of the run decides, not today: a report made again from the same results is the same.
    """
    # Days in ISO 8601 compare as texts.
    ran = {engine.column: engine.started[:10] for engine in matrix.engines}
    return [cell for cell in matrix.cells if cell.known and "" < cell.known.review_after < ran[cell.engine]]


def exit_status(matrix: Matrix) -> int:
    """1 if anything was unexpected or any known failure is stale, else 0."""
    return int(bool(unexpected(matrix) or stale(matrix)))
