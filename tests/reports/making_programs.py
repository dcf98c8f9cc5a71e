"""Campaigns of generated programs, made by hand: a known signature, and a new signature with its program."""

from __future__ import annotations

import msgspec

from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.source.report import ProgramReport
from conformance.programs.source.writer import listing
from conformance.results import KnownRecord, SuiteRecord
from conformance.verdicts import CauseKind, Verdict
from reports.model import SCHEMA, GeneratedProgram, Matrix, MatrixCell, MatrixEngine, Section, Tally
from reports.programs import row_of
from tests.browser.sample import sample

NEW = "forward_is_reverse: numbers: checkpoint write.multiply:itself"
RAISES = "raises RuntimeError: <b>no rule</b> for *"
INNER = Body(1, (Step("clone", (1,)), Step("write.multiply", (2, 2)), Step("view.select", (3,), (0, 1))), (4,))
SQUARE = Program("writes", (Input((2,), (2.0, 1.0)),), Body(1, (Step("checkpoint", (0,), (), (INNER,)),), (1,)))


def campaigns() -> Matrix:
    """The data of a page."""
    suite: SuiteRecord = sample().suite
    engine: MatrixEngine = msgspec.structs.replace(sample().engines[0], column="torch", spec="torch")
    shown = ProgramReport(
        name="writes:17",
        engine="torch",
        signature=NEW,
        listing=listing(SQUARE.body),
        native="import torch\n\nassert False\n",
    )
    reason = KnownRecord("It is <i>known</i>.", "https://example.org/1", "", title="No rule", kind=CauseKind.ERROR)
    program = GeneratedProgram("forward_is_reverse", "writes", 17)
    new = MatrixCell(NEW, "torch", Verdict.FAIL, None, "got 18, expected 12", 0.0, None, program=program)
    known = MatrixCell(RAISES, "torch", Verdict.FAIL, None, "", 0.0, reason, counts={"tape": 1})
    cells = [msgspec.structs.replace(new, counts={"writes": 3}, shown=shown), known]
    tallies = [Tally("torch", kind, "abc", [(0, 1000)], 1000, 990, 10, 5.0) for kind in ("tape", "writes")]
    rows = [row_of(NEW), row_of(RAISES)]
    return Matrix(SCHEMA, suite, [engine], rows, cells, Section.PROGRAMS, tallies=tallies)
