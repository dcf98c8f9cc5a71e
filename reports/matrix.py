"""Results files as a matrix; the matrix to and from disk.

In memory, `behaviours` has a row per cell id, so `chapter.name[case]` is a separate row. A file has each claim once,
with its cases: the statements and checks of laws on hundreds of operations would be most of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from conformance.results import BehaviourRecord, ResultRecord, ResultsFile, SuiteRecord
from reports.files import ReportError
from reports.model import SCHEMA, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine, Section
from reports.operations import described

REMEDY = "make it again from the results files"


def empty(suite: SuiteRecord) -> Matrix:
    """The matrix of a page that shows no behaviours."""
    return Matrix(SCHEMA, suite, [], [], [])


def alone(file: ResultsFile) -> Matrix:
    """The matrix of a results file. Raises ReportError if the file is inconsistent."""
    column = file.header.engine.spec
    rows = {row.id: row for row in _rows(file)}
    by_id = _cells(file, column)
    # Also of an inventory: the engine's own names are operations too.
    section = Section.OPERATIONS if file.header.part else Section.BEHAVIOURS
    # In the order of rows: a run may have been shuffled.
    cells = [by_id[id] for id in rows]
    return described(Matrix(SCHEMA, file.header.suite, [engine_of(file)], list(rows.values()), cells, section), [])


def engine_of(file: ResultsFile) -> MatrixEngine:
    """The column of a results file, called by its spec; a second version of it renames it when they are joined."""
    header, footer = file.header, file.footer
    return MatrixEngine(
        column=header.engine.spec,
        **msgspec.structs.asdict(header.engine),
        started=header.started,
        duration_s=footer.duration_s,
        seed=header.seed,
        complete=header.complete,
        stale=footer.stale,
    )


def _rows(file: ResultsFile) -> Iterator[MatrixBehaviour]:
    """A row per cell id. Records may name cases each by itself, or the behaviour that has them."""
    records = {record.id: record for record in file.behaviours}
    cells: dict[str, list[str]] = {id: [] for id in records}
    for result in file.results:
        cells[_record_of(result, records, file)].append(result.id)
    _check_complete(file, [id for id, ids in cells.items() if not ids])
    for id, ids in cells.items():
        row = _published(records[id], file)
        # Sorted, because results come in the order of the run, which may be shuffled.
        for cell in sorted(ids):
            yield msgspec.structs.replace(row, id=cell)


def _record_of(result: ResultRecord, records: dict[str, BehaviourRecord], file: ResultsFile) -> str:
    whole = result.id.partition("[")[0]
    record = next((id for id in (result.id, whole) if id in records), None)
    if record is None:
        raise ReportError(
            f"{file.path}: has a result for {result.id!r}, which it does not describe; run the engine again"
        )
    return record


def _check_complete(file: ResultsFile, without: Sequence[str]) -> None:
    selected, filled = file.header.selected, len({result.id for result in file.results})
    if filled >= selected and not without:
        return
    named = f", among them {', '.join(map(repr, without[:3]))}" if without else ""
    missing = max(selected - filled, len(without))
    raise ReportError(f"{file.path}: lacks {missing} of {selected} selected cells{named}; run the engine again")


def _cells(file: ResultsFile, column: str) -> dict[str, MatrixCell]:
    return {
        result.id: MatrixCell(
            behaviour=result.id,
            engine=column,
            verdict=result.verdict,
            convention=result.convention,
            message=result.message,
            duration_s=result.duration_s,
            known=result.known,
            reason=result.reason,
            witness=result.witness,
        )
        for result in file.results
    }


def _published(record: BehaviourRecord, file: ResultsFile) -> MatrixBehaviour:
    """The claim of a record, which has a level that is checked here."""
    try:
        return msgspec.convert(record, MatrixBehaviour, from_attributes=True)
    except msgspec.ValidationError as error:
        raise ReportError(f"{file.path}: cannot be published: {error}; run the engine again") from None


def encode(matrix: Matrix) -> bytes:
    """The bytes of a section's file: an item a line, so that a version control system shows which cell changed.

    It has no scripts of cells. A claim is there once, with its cases.
    """
    cells = [msgspec.structs.replace(cell, script="") if cell.script else cell for cell in matrix.cells]
    published = msgspec.structs.replace(matrix, cells=cells, behaviours=_folded(matrix.behaviours))
    fields = [(name, getattr(published, name)) for name in Matrix.__struct_fields__]
    # The optional fields come last, and are left out where empty.
    optional = len(Matrix.__struct_defaults__)
    fields = fields[:-optional] + [(name, value) for name, value in fields[-optional:] if value]
    return b"{\n" + b",\n".join(b'"%b":%b' % (name.encode(), _lines(value)) for name, value in fields) + b"\n}\n"


def _lines(value: Any) -> bytes:
    """A value as JSON, each item of a list on a line."""
    if not isinstance(value, list):
        return msgspec.json.encode(value)
    return b"[\n" + b",\n".join(map(msgspec.json.encode, value)) + b"\n]"


def _folded(rows: Sequence[MatrixBehaviour]) -> list[MatrixBehaviour]:
    """Rows as claims: neighbours that differ in their case alone are the same claim."""
    claims: list[MatrixBehaviour] = []
    for row in rows:
        id, bracket, case = row.id.removesuffix("]").partition("[")
        if not bracket or not row.id.endswith("]"):
            claims.append(row)
            continue
        claim = msgspec.structs.replace(row, id=id)
        if claims and claims[-1].cases and msgspec.structs.replace(claims[-1], cases=[]) == claim:
            claims[-1].cases.append(case)  # a list that was made below: no row of the caller changes
        else:
            claims.append(msgspec.structs.replace(claim, cases=[case]))
    return claims


def _unfolded(claim: MatrixBehaviour) -> list[MatrixBehaviour]:
    replace = msgspec.structs.replace
    return [replace(claim, id=f"{claim.id}[{case}]", cases=[]) for case in claim.cases] or [claim]


def load(path: Path) -> Matrix:
    """Read the file of a section. Raises ReportError if it is missing, torn, of another schema, or inconsistent."""
    matrix = _decoded(path)
    rows = [row for claim in matrix.behaviours for row in _unfolded(claim)]
    matrix = msgspec.structs.replace(matrix, behaviours=rows)
    _check_references(path, matrix)
    return matrix


class _Stamp(msgspec.Struct):
    """The field that names the format of a file."""

    schema: str | None = None


def _decoded(path: Path) -> Matrix:
    """The content of a file. Raises ReportError, whose message is a single line."""
    try:
        content = path.read_bytes()
        # Before the rest is decoded: of another version, it would only be called invalid.
        stamp = msgspec.json.decode(content, type=_Stamp).schema
        if stamp != SCHEMA:
            raise ReportError(f"{path}: has schema {stamp!r}, expected {SCHEMA!r}; {REMEDY} with this version")
        return msgspec.json.decode(content, type=Matrix)
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror or error}; give a matrix.json written by a report") from None
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: is not a valid matrix: {error}; {REMEDY}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReportError(f"{path}: {_unreadable(content, error)}") from None


def _unreadable(content: bytes, error: Exception) -> str:
    # The likeliest mistake: a results file in the place of a matrix.
    if content.startswith(b'{"kind":"header"'):
        return "is the results file of one engine, not a matrix; give it to `report`"
    if not content.strip() or (content.startswith(b"{") and not content.rstrip().endswith(b"}")):
        return f"is empty or cut short; {REMEDY}"
    return f"is not JSON: {error}; {REMEDY}"


def _check_references(path: Path, matrix: Matrix) -> None:
    """Every cell belongs to a row and a column of the matrix, and no two to the same."""
    rows, columns = {row.id for row in matrix.behaviours}, {engine.column for engine in matrix.engines}
    # What follows looks up rows and columns of cells without asking whether they are there.
    for tally in matrix.tallies:
        if tally.engine not in columns:
            raise ReportError(f"{path}: programs of {tally.engine} have no column; {REMEDY}")
    seen: set[tuple[str, str]] = set()
    for cell in matrix.cells:
        place = cell.behaviour, cell.engine
        if cell.behaviour not in rows or cell.engine not in columns or place in seen:
            problem = "appears twice" if place in seen else "has no row or no column"
            raise ReportError(f"{path}: cell {place} {problem}; {REMEDY}")
        seen.add(place)
