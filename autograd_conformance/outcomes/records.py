"""What `run`, `report` and `merge` print as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from reports import unexpected, view
from reports.model import Matrix, MatrixCell, MatrixEngine, Suite

__all__ = ["OutcomeRecord", "outcome_record"]


class TallyRecord(msgspec.Struct):
    """A column: how many cells have each verdict, how many were not run, how many were known."""

    column: str
    version: str
    verdicts: dict[str, int]
    not_run: int
    known: int


class StaleRecord(msgspec.Struct):
    """An expectation that did not come true."""

    engine: str
    problem: str


class OutcomeRecord(msgspec.Struct):
    """What a run, or several, came to: files written, counts, what nobody foresaw (`differences` count for nothing)."""

    exit_status: int
    files: list[str]
    suite: Suite
    engines: list[TallyRecord]
    unexpected: list[MatrixCell]
    differences: list[MatrixCell]
    stale: list[StaleRecord]
    overdue: list[MatrixCell]
    slowest: list[MatrixCell]


def outcome_record(matrix: Matrix, files: Sequence[Path], slowest: Sequence[MatrixCell] = ()) -> OutcomeRecord:
    """The outcome as data."""
    return OutcomeRecord(
        exit_status=unexpected.exit_status(matrix),
        files=[str(path) for path in files],
        suite=matrix.suite,
        engines=[_tally(matrix, engine) for engine in matrix.engines],
        unexpected=unexpected.unexpected(matrix),
        differences=unexpected.unexpected_differences(matrix),
        stale=[StaleRecord(column, problem) for column, problem in unexpected.stale(matrix)],
        overdue=unexpected.overdue(matrix),
        slowest=list(slowest),
    )


def _tally(matrix: Matrix, engine: MatrixEngine) -> TallyRecord:
    found = view.counts(matrix, engine)
    return TallyRecord(engine.column, engine.version, found, found.pop("not run"), found.pop("known"))
