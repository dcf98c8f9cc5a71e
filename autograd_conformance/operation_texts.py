"""Texts for a sweep over operations, from the table of operations and the files of known failures."""

from __future__ import annotations

from conformance.known_failures import file_of, script_of
from conformance.operations import TABLE
from conformance.operations.row import Operation
from reports.model import Matrix, OperationRow
from reports.operations import described


def with_texts(matrix: Matrix) -> Matrix:
    """With families and meanings of operations, and native programs of the causes of known failures."""
    rows = [OperationRow(row.name, row.group, row.meaning, points_of(row)) for row in TABLE.values()]
    engines = {engine.column: engine.name for engine in matrix.engines}
    # By engine and not by column: several versions share a file of known failures.
    causes = {(engines[cell.engine], cell.known.cause) for cell in matrix.cells if cell.known and cell.known.cause}
    scripts = {cause: script_of(cause, file_of(engine)) for engine, cause in sorted(causes)}
    texts = [(cause, path.read_text("utf-8")) for cause, path in scripts.items() if path.exists()]
    return described(matrix, rows, texts)


def points_of(row: Operation) -> str:
    """The kinds of its special points, smooth ones and kinks; or why it has none."""
    kinds = [(kind, points) for kind, points in (("smooth", row.smooth), ("kinks", row.kinks)) if points]
    listed = "; ".join(f"{kind}: {', '.join(point.kind for point in points)}" for kind, points in kinds)
    return f"Special points, {listed}." if listed else f"No special point: {row.ordinary}."
