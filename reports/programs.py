"""The results of generated programs as a matrix: a row for each signature."""

from __future__ import annotations

from conformance.results import KnownRecord, ResultRecord, ResultsFile, TallyRecord
from conformance.tallies import findings_of_tally, join_tallies, place_of
from conformance.verdicts import Verdict
from reports.matrix import engine_of
from reports.model import SCHEMA, GeneratedProgram, Matrix, MatrixBehaviour, MatrixCell, Section, Tally
from reports.tallies import sum_tallies, summed


def programs_of(file: ResultsFile) -> Matrix:
    """The matrix of a results file."""
    engine = engine_of(file)
    cells: dict[str, MatrixCell] = {}
    for record in (records := join_tallies(file.tallies)):
        findings = {finding.signature: finding for finding in findings_of_tally(record, file.results)}
        for name, count in record.seen.items():
            known, counts = file.footer.known.get(name), {record.programs_of: count}
            cell = _cell(engine.column, name, counts, known, findings.get(name))
            # A signature may be in several ranges of seeds, as in those of many machines.
            cells[name] = summed(cells[name], cell) if name in cells else cell
    tallies = sum_tallies([(file.path, _tally(engine.column, file, record)) for record in records], [engine.column])
    rows = [row_of(name) for name in cells]
    return Matrix(SCHEMA, file.header.suite, [engine], rows, [*cells.values()], Section.PROGRAMS, tallies=tallies)


def _tally(column: str, file: ResultsFile, record: TallyRecord) -> Tally:
    return Tally(
        engine=column,
        kind=record.programs_of,
        adapter=file.header.adapter,
        ranges=[(record.first, record.last)],
        programs=record.programs,
        judged=record.judged,
        unsupported=record.unsupported,
        seconds=record.seconds,
    )


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
