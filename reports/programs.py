"""The results of generated programs as a matrix: a row for each signature."""

from __future__ import annotations

import msgspec

from conformance.results import KnownRecord, ResultRecord, ResultsFile, TallyRecord
from conformance.tallies import findings_of_tally, join_tallies, place_of
from conformance.verdicts import Verdict
from reports.join import PathMatrix, join
from reports.matrix import engine_of
from reports.model import SCHEMA, GeneratedProgram, Matrix, MatrixBehaviour, MatrixCell, Section, Tally


def programs_of(file: ResultsFile) -> Matrix:
    """The matrix of a results file."""
    engine = engine_of(file)
    matrix = Matrix(SCHEMA, file.header.suite, [engine], [], [], Section.PROGRAMS)
    # A signature may be in several ranges of seeds, which are joined as those of many machines are.
    parts = [_with_tally(matrix, file, tally) for tally in join_tallies(file.tallies)]
    joined = join([PathMatrix(file.path, part) for part in parts or [matrix]])
    # Joining adds up durations, but the parts are of a single run.
    return msgspec.structs.replace(joined, engines=[engine])


def _with_tally(matrix: Matrix, file: ResultsFile, record: TallyRecord) -> Matrix:
    """The matrix of a range of seeds."""
    column = matrix.engines[0].column
    tally = Tally(
        engine=column,
        kind=record.programs_of,
        adapter=file.header.adapter,
        ranges=[(record.first, record.last)],
        programs=record.programs,
        judged=record.judged,
        unsupported=record.unsupported,
        seconds=record.seconds,
    )
    findings = {finding.signature: finding for finding in findings_of_tally(record, file.results)}
    counts = {signature: {record.programs_of: count} for signature, count in record.seen.items()}
    cells = [_cell(column, name, counts[name], file.footer.known.get(name), findings.get(name)) for name in counts]
    return msgspec.structs.replace(matrix, behaviours=[row_of(name) for name in counts], cells=cells, tallies=[tally])


def row_of(signature: str) -> MatrixBehaviour:
    """The claim that no generated program shows a signature."""
    return MatrixBehaviour(signature, "programs", "should", "No generated program shows this.", [], [])


def _cell(
    column: str, signature: str, counts: dict[str, int], known: KnownRecord | None, finding: ResultRecord | None
) -> MatrixCell:
    if finding is None:  # a known failure, of which only counts are recorded
        return MatrixCell(signature, column, Verdict.FAIL, None, "", 0.0, known, counts=counts)
    program = GeneratedProgram(*place_of(finding), finding.program or {})
    seen = (finding.verdict, None, finding.message, 0.0, known, finding.reason, finding.witness)
    return MatrixCell(signature, column, *seen, counts, program)
