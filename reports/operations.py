"""Laws on operations: their operations and laws, and the words for their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from conformance.results import KnownRecord
from conformance.verdicts import Reason, Verdict
from reports.model import Matrix, MatrixBehaviour, MatrixCell, OperationRow, Section

# The outcomes of a law on an operation, in the words of the page.
LAW_OUTCOMES = ("pass", "fail", "raises", "not offered", "not applicable", "crash", "timeout", "error")


def law_outcome(cell: MatrixCell) -> str:
    """A verdict with its reason, as one of these words."""
    if cell.verdict in (Verdict.ABSENT, Verdict.UNSUPPORTED):
        return "not offered" if cell.reason is Reason.NOT_OFFERED else "not applicable"
    if cell.verdict in (Verdict.FAIL, Verdict.DIFFERS):
        return "raises" if cell.reason is Reason.RAISED else "fail"
    return str(cell.verdict.value)


def laws(matrix: Matrix) -> list[MatrixBehaviour]:
    """The laws, without their cases."""
    rows = {row.id.partition("[")[0]: row for row in matrix.behaviours}
    return [msgspec.structs.replace(row, id=id) for id, row in rows.items()]


def operation_of(cell: MatrixCell) -> str:
    """The operation, which is the case of the law."""
    return cell.behaviour.removesuffix("]").partition("[")[2]


class EngineWide(NamedTuple):
    """A cause that concerns laws with any operation, on a column, with its number of cells there."""

    column: str
    known: KnownRecord
    cells: int


def engine_wide(matrix: Matrix) -> list[EngineWide]:
    """The engine-wide causes of a section, column by column, those of most cells first."""
    listed = [(cell.engine, cell.known) for cell in matrix.cells if cell.known and cell.known.engine_wide]
    causes = {(column, known.cause): known for column, known in listed}
    counts = Counter((column, known.cause) for column, known in listed)
    order = [engine.column for engine in matrix.engines]
    its = [EngineWide(column, known, counts[column, cause]) for (column, cause), known in causes.items()]
    return sorted(its, key=lambda wide: (order.index(wide.column), -wide.cells))


def described(matrix: Matrix, rows: Iterable[OperationRow], programs: Iterable[tuple[str, str]] = ()) -> Matrix:
    """With families and meanings, in the order of these rows, and with the native programs that its cells need."""
    if matrix.section is not Section.OPERATIONS:
        return matrix
    names = sorted({operation_of(cell) for cell in matrix.cells})
    # A row without a family is a name alone, and must not replace a full row.
    known = {row.name: row for row in [*rows, *matrix.operations] if row.family}
    filled = [known.get(name, OperationRow(name)) for name in names]
    families = list(dict.fromkeys([row.family for row in known.values()] + [row.family for row in filled]))
    ordered = sorted(filled, key=lambda row: (not row.family, families.index(row.family), row.name))
    needed = {cell.known.cause for cell in matrix.cells if cell.known}
    texts = {name: text for name, text in sorted({**dict(programs), **matrix.programs}.items()) if name in needed}
    return msgspec.structs.replace(matrix, operations=ordered, programs=texts)
