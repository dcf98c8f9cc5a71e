"""A small sweep over operations, made by hand: three operations, six laws, three engines."""

from __future__ import annotations

import msgspec

from conformance.results import BehaviourRecord, CitationRecord, KnownRecord, ResultRecord, ResultsFile
from conformance.verdicts import CauseKind, Reason, Verdict
from reports.model import Matrix, OperationRow
from reports.operations import described
from tests.matrices import merge
from tests.reports.making import result, results_file

CHECKS = [
    CitationRecord("torch", "notes/gradcheck", "", "Gradcheck mechanics", "https://example.org/gradcheck"),
    CitationRecord("jax", "jax.vjp", "", "jax.vjp", "https://example.org/vjp"),
]


def _law(id: str, title: str, statement: str) -> BehaviourRecord:
    check = f"def {id.partition('.')[2]}(ad, operation):\n    hold(ad, operation)\n"
    return BehaviourRecord(id, id.partition(".")[0], "may", statement, CHECKS, [], check=check, chapter_title=title)


RECORDS = [
    _law("transforms.vmap_of_a_gradient_is_the_loop", "Transforms", "vmap of a gradient is a loop of gradients."),
    _law("derivatives.reverse_mode_gives_the_derivative", "Derivatives", "The VJP agrees with differences."),
    _law("derivatives.forward_mode_gives_the_derivative", "Derivatives", "The JVP agrees with differences."),
    _law("derivatives.reverse_over_reverse_gives_the_second_derivative", "Derivatives", "The VJP of a VJP agrees."),
    _law("kinks.the_modes_agree_at_a_kink", "Kinks", "At a kink, both modes follow one convention."),
    _law("upside_down.a_law_of_tomorrow", "Upside down", "A law of a chapter that no report knows."),
]
LAWS = [record.id for record in RECORDS]
VMAP, REVERSE, FORWARD, SECOND, KINK, TOMORROW = LAWS

ROWS = [
    OperationRow("det", "Linear algebra", "The determinant.", names=["torch.linalg.det", "jnp.linalg.det"]),
    OperationRow("abs", "Elementwise", "The absolute value."),
    OperationRow("exp", "Elementwise", "e to the power of x."),
]
WITNESS = "derivative along a direction: got 0.0, expected 1.0 at det([[0.0, 0.0], [0.0, 0.0]]), a singular"
PROGRAM = 'import torch\n\nassert torch.tensor(0.0).item() == 1.0, "the determinant"\n'
KNOWN = KnownRecord(
    "The rule divides by the determinant.",
    "https://example.org/issues/2",
    "2027-05-20",
    cause="det_at_zero",
    title="det is wrong at a singular matrix",
    kind=CauseKind.SILENT,
    issues=["https://example.org/issues/2", "https://example.org/issues/3"],
)
WIDE = KnownRecord(
    "Tomorrow is not there yet.", "", "", "tomorrow", "No law of tomorrow holds", CauseKind.LIMITATION, [], True
)
ABSENT, FAIL, DIFFERS = Verdict.ABSENT, Verdict.FAIL, Verdict.DIFFERS


def _cells(operation: str, **outcomes: ResultRecord) -> list[ResultRecord]:
    """A result for each law that concerns an operation; kinks concern abs alone."""
    laws = {"vmap": VMAP, "reverse": REVERSE, "forward": FORWARD, "second": SECOND, "tomorrow": TOMORROW}
    laws |= {"kink": KINK} if operation == "abs" else {}
    results = {name: outcomes.get(name, result(f"{law}[{operation}]")) for name, law in laws.items()}
    return list(results.values())


def _missing(operation: str, reason: str) -> list[ResultRecord]:
    return [result(cell.id, ABSENT, reason, reason=Reason.NOT_OFFERED) for cell in _cells(operation)]


def sweep_file(spec: str, reverse: ResultRecord | None = None) -> ResultsFile:
    """The results of an engine; `reverse` is that of reverse mode through det."""
    raised = result(f"{FORWARD}[det]", FAIL, "raised NotImplementedError: no rule for <b>det</b>", reason=Reason.RAISED)
    its = {
        "torch": [
            *_cells("exp"),
            *_cells("abs"),
            *_cells(
                "det",
                reverse=reverse or result(f"{REVERSE}[det]", FAIL, WITNESS, known=KNOWN),
                forward=raised,
                vmap=result(f"{VMAP}[det]", ABSENT, "torch.autograd cannot be used in vmap."),
            ),
        ],
        "jax": [*_cells("exp"), *_cells("abs"), *_cells("det")],
        "hips": [
            *_cells("exp"),
            *_cells("abs", kink=result(f"{KINK}[abs]", DIFFERS, "gradient: got 1.0, expected 0.0 at abs(0.0), a kink")),
            *_missing("det", "not offered: no public function of the engine is det"),
        ],
    }
    return results_file(spec, its[spec], RECORDS, part="operations", path=f"{spec}.jsonl")


def sweep_files() -> list[ResultsFile]:
    """Three engines: det fails on the first, raises an error there, and is not offered by another."""
    return [sweep_file(spec) for spec in ("torch", "jax", "hips")]


def sweep() -> Matrix:
    """The three joined, with families, meanings and a native program."""
    # The program of the second cause must be left out: no cell has that cause.
    return described(merge(sweep_files()), ROWS, [("det_at_zero", PROGRAM), ("another_cause", "import this\n")])


def with_engine_wide(matrix: Matrix) -> Matrix:
    """With an error on jax in a law, with any operation."""
    raised = {"verdict": FAIL, "message": "raised ValueError: tomorrow", "known": WIDE, "reason": Reason.RAISED}
    of_law = {(f"{TOMORROW}[{row.name}]", "jax") for row in matrix.operations}
    replace = msgspec.structs.replace
    cells = [replace(cell, **raised) if (cell.behaviour, cell.engine) in of_law else cell for cell in matrix.cells]
    return replace(matrix, cells=cells)
