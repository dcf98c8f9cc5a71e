"""Texts for a sweep over operations, from the table of operations and the files of known failures."""

from __future__ import annotations

from conformance.known_causes import script_of
from conformance.known_failures import file_of
from conformance.operations import TABLE
from reports.model import Matrix, OperationRow
from reports.operations import described

__all__ = ["with_texts"]


def with_texts(matrix: Matrix) -> Matrix:
    """With families and meanings of operations, and native programs of the causes of known failures."""
    rows = [OperationRow(operation.name, operation.group, operation.meaning) for operation in TABLE.values()]
    engines = {engine.column: engine.name for engine in matrix.engines}
    causes = {(engines[cell.engine], cell.known.cause) for cell in matrix.cells if cell.known and cell.known.cause}
    # The suite's own files of known failures have their programs beside them.
    files = {(file, cause) for engine, cause in causes if (file := file_of(engine, "operations")).exists()}
    scripts = {cause: script_of(file, cause) for file, cause in sorted(files)}
    return described(
        matrix, rows, [(cause, path.read_text("utf-8")) for cause, path in scripts.items() if path.exists()]
    )
