"""The results of generated programs as a matrix: a row for each signature."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.programs.results import BatchRecord, CampaignFile, FindingRecord
from conformance.verdicts import Verdict
from reports.files import ReportError
from reports.join import PathMatrix, join
from reports.model import (
    SCHEMA,
    GeneratedProgram,
    Known,
    Matrix,
    MatrixBehaviour,
    MatrixCell,
    MatrixEngine,
    Section,
    Suite,
    Tally,
)

__all__ = ["programs_of", "row_of"]

# Oracles that are verdicts: the program ended its process, took too long, or the suite failed.
ENDINGS = {verdict.value: verdict for verdict in (Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR)}


def programs_of(file: CampaignFile) -> Matrix:
    """The matrix of one results file. Raises ReportError if it cannot be published."""
    known = {name: _published(record, Known, file.path) for name, record in file.footer.known.items()}
    # A part for each range of seeds, joined as those of many machines are.
    batches: list[BatchRecord | None] = [*file.batches] or [None]
    return join([PathMatrix(file.path, _part(file, batch, known)) for batch in batches])


def _part(file: CampaignFile, batch: BatchRecord | None, known: dict[str, Known]) -> Matrix:
    header = file.header
    engine = MatrixEngine(
        column=header.engine.spec,
        **msgspec.structs.asdict(header.engine),
        started=header.started,
        duration_s=file.footer.duration_s if batch is None or batch is file.batches[0] else 0.0,
        seed=0,
        complete=False,
        stale=[],
    )
    part = Matrix(SCHEMA, _published(header.suite, Suite, file.path), [engine], [], [], Section.PROGRAMS)
    if batch is None:
        return part
    tally = Tally(
        engine=engine.column,
        kind=batch.kind,
        adapter=header.adapter,
        ranges=[(batch.first, batch.last)],
        programs=batch.programs,
        judged=batch.judged,
        unsupported=batch.unsupported,
        seconds=batch.seconds,
    )
    findings = {finding.signature: finding for finding in batch.findings}
    cells = [
        _cell(engine.column, signature, {batch.kind: count}, known.get(signature), findings.get(signature))
        for signature, count in batch.seen.items()
    ]
    return msgspec.structs.replace(part, behaviours=[row_of(name) for name in batch.seen], cells=cells, tallies=[tally])


def row_of(signature: str) -> MatrixBehaviour:
    """The claim that no generated program shows a signature."""
    return MatrixBehaviour(signature, "programs", "should", "No generated program shows this.", [], [])


def _cell(
    column: str, signature: str, counts: dict[str, int], known: Known | None, finding: FindingRecord | None
) -> MatrixCell:
    verdict, message, program = Verdict.FAIL, "", None
    if finding:
        verdict, message = ENDINGS.get(finding.oracle, Verdict.FAIL), finding.message
        program = GeneratedProgram(finding.oracle, finding.kind, finding.seed, finding.program)
    return MatrixCell(signature, column, verdict, None, message, 0.0, known, counts=counts, program=program)


def _published(record: msgspec.Struct, kind: type[Any], path: str) -> Any:
    """A record of the results in the published form."""
    try:
        return msgspec.convert(record, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: cannot be published: {error}; try the seeds again") from None
