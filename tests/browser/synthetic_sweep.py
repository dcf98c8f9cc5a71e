"""A sweep over operations of any size, made up but like a real one: shares of verdicts, lengths and kinds of witnesses.

The same arguments give the same sweep.
"""

from __future__ import annotations

import random
from itertools import product

from reports.model import Known, MatrixEngine, Suite
from reports.operations_model import SCHEMA, Law, OperationRow, Operations, OperationsCell, OperationsVerdict

__all__ = ["synthetic_sweep"]

CHAPTERS = ("derivatives", "exact_values", "transforms", "layouts", "complex_inputs", "kinks", "cotangents", "in_place")
# As on PyTorch, torch.func and HIPS autograd together; the causes are as many as their files have.
SHARES = {"pass": 60, "not offered": 20, "not applicable": 10, "raises": 7, "fail": 3}
CAUSES = 150


def synthetic_sweep(operations: int, laws: int, engines: int) -> Operations:
    """Of these sizes."""
    chance = random.Random(0)
    rows = [OperationRow(f"operation_{n:03}", f"Family {n // 40:02}", f"Function {n} of x.") for n in range(operations)]
    claims = [_law(number) for number in range(laws)]
    columns = [_engine(number) for number in range(engines)]
    causes = [_cause(number) for number in range(CAUSES)]
    cells = [_cell(chance, row, law, one, causes) for law, row, one in product(claims, rows, columns)]
    programs = {cause.cause: f"import torch\n\nassert torch.tensor({chance.random()}) == 0\n" * 8 for cause in causes}
    return Operations(SCHEMA, Suite("0.1.0", "0"), columns, rows, claims, programs, cells)


def _law(number: int) -> Law:
    chapter = CHAPTERS[number % len(CHAPTERS)]
    return Law(f"{chapter}.law_{number}", chapter, "must", f"Law {number} holds.", [], f"def law_{number}(): ...\n" * 4)


def _engine(number: int) -> MatrixEngine:
    name = f"engine_{number}"
    return MatrixEngine(name, name, name, "1.0", {}, {}, "Linux", "3.11", "2026-01-01T00:00:00", 1.0, 0, True, [])


def _cause(number: int) -> Known:
    name, address = f"cause_{number}", f"https://example.org/issues/{number}"
    return Known(
        f"Reason {number}, in a sentence or two.", address, "2027-01-01", name, f"Title {number}", "engine bug"
    )


def _cell(
    chance: random.Random, row: OperationRow, law: Law, engine: MatrixEngine, causes: list[Known]
) -> OperationsCell:
    verdict = OperationsVerdict(chance.choices(list(SHARES), list(SHARES.values()))[0])
    got, expected, *point = (chance.random() for _ in range(5))
    witness = {
        OperationsVerdict.PASS: "",
        OperationsVerdict.FAIL: f"derivative: got {got}, expected {expected} at {row.name}({point}), a zero",
        OperationsVerdict.RAISES: f"raised NotImplementedError: no rule for {row.name}",
    }.get(verdict, f"not offered: {engine.name} has no {row.name}")
    flagged = verdict in (OperationsVerdict.FAIL, OperationsVerdict.RAISES)
    return OperationsCell(row.name, law.id, engine.column, verdict, witness, chance.choice(causes) if flagged else None)
