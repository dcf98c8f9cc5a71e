"""A sweep over operations, as it is published and as a matrix: a law is a behaviour, and an operation its case.

What joins, compares and counts matrices also serves operations, by way of `matrix_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from conformance.verdicts import Reason, Verdict
from reports.files import ReportError
from reports.joining import PathMatrix, join
from reports.loading import REMEDY, decoded
from reports.model import SCHEMA as MATRIX_SCHEMA
from reports.model import Matrix, MatrixBehaviour, MatrixCell
from reports.operations_model import SCHEMA, Law, OperationRow, Operations, OperationsCell, OperationsVerdict

__all__ = ["FLAGGED", "described", "join_operations", "load_operations", "matrix_of", "operations_of"]

_TO_MATRIX = {
    OperationsVerdict.PASS: Verdict.PASS,
    OperationsVerdict.FAIL: Verdict.FAIL,
    OperationsVerdict.RAISES: Verdict.FAIL,
    OperationsVerdict.NOT_OFFERED: Verdict.ABSENT,
    OperationsVerdict.NOT_APPLICABLE: Verdict.ABSENT,
    OperationsVerdict.CRASH: Verdict.CRASH,
    OperationsVerdict.TIMEOUT: Verdict.TIMEOUT,
    OperationsVerdict.ERROR: Verdict.ERROR,
}
# Verdicts of which a matrix has one for two: there, the convention says which it is.
_REASONS = {OperationsVerdict.RAISES: Reason.RAISED, OperationsVerdict.NOT_OFFERED: Reason.NOT_OFFERED}
_NAMED = {OperationsVerdict.RAISES: "raises", OperationsVerdict.NOT_OFFERED: "not_offered"}

# Verdicts that say that something is wrong.
FLAGGED = frozenset(OperationsVerdict) - {
    OperationsVerdict.PASS,
    OperationsVerdict.NOT_OFFERED,
    OperationsVerdict.NOT_APPLICABLE,
}


def operations_of(matrix: Matrix) -> Operations:
    """The same, from the matrix of a run of the laws. Of operations only the names are known (see `described`)."""
    laws = {row.id.partition("[")[0]: _law(row) for row in matrix.behaviours}
    cells = [_cell(cell) for cell in matrix.cells]
    rows = [OperationRow(name) for name in sorted({cell.operation for cell in cells})]
    return Operations(SCHEMA, matrix.suite, matrix.engines, rows, list(laws.values()), {}, cells)


def _law(row: MatrixBehaviour) -> Law:
    id, title = row.id.partition("[")[0], row.chapter_title or row.chapter.replace("_", " ").capitalize()
    was = [name.partition("[")[0] for name in row.was]
    return Law(id, title, row.level, row.statement, row.citations, row.check, was)


def _cell(cell: MatrixCell) -> OperationsCell:
    law, _, operation = cell.behaviour.removesuffix("]").partition("[")
    promised = cell.verdict is not Verdict.DIFFERS
    convention = (cell.convention or "") if cell.verdict is Verdict.PASS else ""
    return OperationsCell(operation, law, cell.engine, _verdict(cell), cell.message, cell.known, promised, convention)


def _verdict(cell: MatrixCell) -> OperationsVerdict:
    if cell.verdict in (Verdict.ABSENT, Verdict.UNSUPPORTED):
        lacks = cell.reason is Reason.NOT_OFFERED
        return OperationsVerdict.NOT_OFFERED if lacks else OperationsVerdict.NOT_APPLICABLE
    if cell.verdict in (Verdict.FAIL, Verdict.DIFFERS):
        return OperationsVerdict.RAISES if cell.reason is Reason.RAISED else OperationsVerdict.FAIL
    return OperationsVerdict(cell.verdict.value)


def matrix_of(found: Operations) -> Matrix:
    """The same as a matrix: a row for each law on each operation. `operations_of` gives the laws and cells back."""
    laws = {law.id: law for law in found.laws}
    cells = [_matrix_cell(cell) for cell in found.cells]
    places = dict.fromkeys((cell.law, cell.operation) for cell in found.cells)
    rows = [_row(laws[law], f"{law}[{operation}]") for law, operation in places]
    return Matrix(MATRIX_SCHEMA, found.suite, found.engines, rows, cells)


def _row(law: Law, id: str) -> MatrixBehaviour:
    return MatrixBehaviour(
        id=id,
        chapter=id.partition(".")[0],
        level=law.level,
        statement=law.statement,
        citations=law.citations,
        conventions=[],
        check=law.check,
        was=law.was,
        chapter_title=law.title,
    )


def _matrix_cell(cell: OperationsCell) -> MatrixCell:
    verdict = _TO_MATRIX[cell.verdict] if cell.promised else Verdict.DIFFERS
    place = f"{cell.law}[{cell.operation}]"
    convention = _NAMED.get(cell.verdict, cell.convention or None)
    return MatrixCell(
        place, cell.engine, verdict, convention, cell.witness, 0.0, cell.known, _REASONS.get(cell.verdict)
    )


def join_operations(sources: Sequence[tuple[str, Operations]]) -> Operations:
    """One sweep from several, each with the path to name. Raises ReportError if they do not belong together."""
    joined = operations_of(join([PathMatrix(path, matrix_of(one)) for path, one in sources]))
    rows = [row for _, one in sources for row in one.operations]
    programs = {name: text for _, one in sources for name, text in one.programs.items()}
    return described(msgspec.structs.replace(joined, programs=programs), rows, programs)


def described(found: Operations, rows: Iterable[OperationRow], programs: Mapping[str, str]) -> Operations:
    """With families and meanings, in the order of these rows, and with the native programs that its cells need."""
    told = {row.name: row for row in rows if row.family}
    filled = [row if row.family else told.get(row.name, row) for row in found.operations]
    families = list(dict.fromkeys([row.family for row in told.values()] + [row.family for row in filled]))
    ordered = sorted(filled, key=lambda row: (not row.family, families.index(row.family), row.name))
    needed = {cell.known.cause for cell in found.cells if cell.known}
    texts = {name: text for name, text in sorted({**programs, **found.programs}.items()) if name in needed}
    return msgspec.structs.replace(found, operations=ordered, programs=texts)


def load_operations(path: Path) -> Operations:
    """Read operations.json. Raises ReportError if it is missing, torn, of another schema, or inconsistent."""
    found = decoded(path, Operations, SCHEMA, "operations")
    laws, columns = {law.id for law in found.laws}, {engine.column for engine in found.engines}
    names, seen = {row.name for row in found.operations}, set()
    for cell in found.cells:
        place = cell.operation, cell.law, cell.engine
        if place in seen or cell.law not in laws or cell.engine not in columns or cell.operation not in names:
            problem = "appears twice" if place in seen else "has no operation, no law or no column"
            raise ReportError(f"{path}: cell {place} {problem}; {REMEDY}")
        seen.add(place)
    return found
