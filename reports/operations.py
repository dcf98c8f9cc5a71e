"""operations.json: what each engine gives for each law on each operation; its types and its schema."""

from __future__ import annotations

import csv
import io
import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from conformance.verdicts import Verdict
from reports.files import replace_all
from reports.model import Known, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine, MatrixPart, Suite
from reports.table import inert
from reports.text import excerpt

__all__ = [
    "Law",
    "Operations",
    "OperationsCell",
    "OperationsVerdict",
    "operations_of",
    "schema_text",
    "write_operations",
]

FILES = ("operations.json", "operations.csv")
# How messages begin that say which of two things a verdict means.
NOT_OFFERED, RAISED = "not offered: ", "raised "


class OperationsVerdict(str, Enum):
    """The outcome of a law on an operation."""

    PASS = "pass"
    FAIL = "fail"
    RAISES = "raises"
    NOT_OFFERED = "not offered"
    NOT_APPLICABLE = "not applicable"
    ERROR = "error"


class Law(MatrixPart, frozen=True):
    """What is claimed of every operation."""

    id: Annotated[str, Meta(description="`chapter.function`.")]
    statement: Annotated[str, Meta(description="The claim, in one or two sentences.")]


class OperationsCell(MatrixPart, frozen=True):
    """The outcome of one law on one operation of one engine."""

    operation: Annotated[str, Meta(description="Name of the operation.")]
    law: Annotated[str, Meta(description="Id of the law.")]
    engine: Annotated[str, Meta(description="Column of the engine.")]
    verdict: OperationsVerdict
    witness: Annotated[str, Meta(description="What was got, what was expected, and where; or why there is no outcome.")]
    known: Annotated[Known | None, Meta(description="The known failure that lists it, if any.")]


class Operations(MatrixPart, frozen=True):
    """Operations by laws by engines. What is not there was not run, or does not concern the operation."""

    schema: Annotated[Literal["autograd-conformance/operations/1"], Meta(description="Name of this format.")]
    suite: Suite
    engines: Annotated[list[MatrixEngine], Meta(description="The columns.")]
    laws: Annotated[list[Law], Meta(description="The laws, in reading order.")]
    cells: list[OperationsCell]


def operations_of(matrix: Matrix) -> Operations:
    """The same, from the matrix of a run of the laws: a case of a law is an operation."""
    rows = {row.id: _law(row) for row in matrix.behaviours}
    laws = list(dict.fromkeys(rows.values()))
    cells = [_cell(cell) for cell in matrix.cells]
    return Operations("autograd-conformance/operations/1", matrix.suite, matrix.engines, laws, cells)


def _law(row: MatrixBehaviour) -> Law:
    return Law(row.id.partition("[")[0], row.statement)


def _cell(cell: MatrixCell) -> OperationsCell:
    law, _, operation = cell.behaviour.rstrip("]").partition("[")
    return OperationsCell(operation, law, cell.engine, _verdict(cell), cell.message, cell.known)


def _verdict(cell: MatrixCell) -> OperationsVerdict:
    if cell.verdict is Verdict.PASS:
        return OperationsVerdict.PASS
    if cell.verdict is Verdict.ABSENT:
        offered = not cell.message.startswith(NOT_OFFERED)
        return OperationsVerdict.NOT_APPLICABLE if offered else OperationsVerdict.NOT_OFFERED
    if cell.verdict in (Verdict.FAIL, Verdict.DIFFERS):
        return OperationsVerdict.RAISES if cell.message.startswith(RAISED) else OperationsVerdict.FAIL
    return OperationsVerdict.ERROR


def write_operations(found: Operations, directory: Path) -> list[Path]:
    """Write operations.json and operations.csv; gives their paths. Raises ReportError, with neither replaced."""
    contents = dict(zip(FILES, (msgspec.json.encode(found), _table(found).encode()), strict=True))
    replace_all(directory, contents)
    return [directory / name for name in contents]


def _table(found: Operations) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("operation", "law", "engine", "verdict", "known", "witness"))
    for one in found.cells:
        reason = excerpt(one.known.reason) if one.known else ""
        told = (one.operation, one.law, one.engine, one.verdict.value, reason, excerpt(one.witness))
        writer.writerow(map(inert, told))
    return stream.getvalue()


def schema_text() -> str:
    """The text of `operations.schema.json` (draft 2020-12)."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:operations:1",
        "title": "Laws on operations, by engine",
    }
    return json.dumps(head | msgspec.json.schema(Operations), indent=2) + "\n"
