"""A sweep over operations of any size, made up like a real sweep: shares of verdicts, lengths and kinds of witnesses.

The same arguments give the same sweep.
"""

from __future__ import annotations

import random
from itertools import product

from conformance.results import KnownRecord, SuiteRecord
from conformance.verdicts import CauseKind, Reason, Verdict
from reports.model import SCHEMA, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine, OperationRow, Section

CHAPTERS = ("derivatives", "exact_values", "transforms", "layouts", "complex_inputs", "kinks", "cotangents", "in_place")
# As on PyTorch, torch.func and HIPS autograd together; the causes are as many as their files have.
SHARES = {
    (Verdict.PASS, None): 60,
    (Verdict.ABSENT, Reason.NOT_OFFERED): 20,
    (Verdict.ABSENT, Reason.BY_DESIGN): 10,
    (Verdict.FAIL, Reason.RAISED): 7,
    (Verdict.FAIL, Reason.DEVIATES): 3,
}
CAUSES = 150


def synthetic_sweep(operations: int, laws: int, engines: int) -> Matrix:
    """Of these sizes."""
    chance = random.Random(0)
    rows = [OperationRow(f"operation_{n:03}", f"Family {n // 40:02}", f"Function {n} of x.") for n in range(operations)]
    columns = [_engine(number) for number in range(engines)]
    causes = [_cause(number) for number in range(CAUSES)]
    claims = [_law(number, row.name) for number, row in product(range(laws), rows)]
    cells = [_cell(chance, claim.id, engine, causes) for claim, engine in product(claims, columns)]
    programs = {cause.cause: f"import torch\n\nassert torch.tensor({chance.random()}) == 0\n" * 8 for cause in causes}
    return Matrix(SCHEMA, SuiteRecord("0.1.0", "0"), columns, claims, cells, Section.OPERATIONS, rows, programs)


def _law(number: int, operation: str) -> MatrixBehaviour:
    chapter, check = CHAPTERS[number % len(CHAPTERS)], f"def law_{number}(): ...\n" * 4
    id = f"{chapter}.law_{number}[{operation}]"
    return MatrixBehaviour(id, chapter, "must", f"Law {number} holds.", [], [], check=check)


def _engine(number: int) -> MatrixEngine:
    name = f"engine_{number}"
    return MatrixEngine(name, name, "1.0", {}, {}, "Linux", "3.11", name, "2026-01-01T00:00:00", 1.0, 0, True, [])


def _cause(number: int) -> KnownRecord:
    name, address = f"cause_{number}", f"https://example.org/issues/{number}"
    return KnownRecord(
        f"Reason {number}, in a sentence or two.", address, "2027-01-01", name, f"Title {number}", CauseKind.ERROR
    )


def _cell(chance: random.Random, place: str, engine: MatrixEngine, causes: list[KnownRecord]) -> MatrixCell:
    ((verdict, reason),) = chance.choices(list(SHARES), list(SHARES.values()))
    got, expected, *point = (chance.random() for _ in range(5))
    operation = place.partition("[")[2].removesuffix("]")
    message = {
        None: "",
        Reason.DEVIATES: f"derivative: got {got}, expected {expected} at {operation}({point}), a zero",
        Reason.RAISED: f"raised NotImplementedError: no rule for {operation}",
    }.get(reason, f"not offered: {engine.name} has no {operation}")
    known = chance.choice(causes) if verdict is Verdict.FAIL else None
    return MatrixCell(place, engine.column, verdict, None, message, 0.0, known, reason)
