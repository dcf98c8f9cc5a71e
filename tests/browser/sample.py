"""A small matrix with an example of everything: conventions, absences, cases, a renamed row, two versions, scripts."""

from __future__ import annotations

import msgspec

from conformance.results import BehaviourRecord, CitationRecord, KnownRecord, ResultRecord
from conformance.verdicts import Verdict
from reports.model import Matrix, MatrixCell
from tests.matrices import merge
from tests.reports.making import result, results_file

COLUMNS = ["torch@2.12", "torch@2.13", "jax", "reference"]
SCRIPT = 'import torch\n\nx = torch.tensor([2.0, 2.0], requires_grad=True)\nprint("got", x.grad)  # nothing yet\n'
CHECK = """def ties_share(ad):
    # the first of equal ones
    close(ad.grad(ad.np.amax)(ad.array([2.0, 2.0])), [0.5, 0.5])
"""

TORCH = CitationRecord("torch", "torch.amax", "", "torch.amax", "https://example.org/amax", since="1.7")
JAX = CitationRecord("jax", "jax.grad", "Parameters", "jax.grad", "https://example.org/grad")
ARTICLE = CitationRecord("document", "000", "", "Pitfalls of autograd (article)", "000.txt")


def claim(id: str, statement: str, *cited: CitationRecord, level: str = "must", **more: object) -> BehaviourRecord:
    """A record of a behaviour; its chapter is in its id."""
    conventions = [source.convention for source in cited if source.convention]
    return BehaviourRecord(id, id.partition(".")[0], level, statement, list(cited), conventions, **more)  # type: ignore[arg-type]


RECORDS = [
    claim("leaves.a_leaf_has_no_gradient", "Before any backward a leaf has no gradient.", TORCH),
    claim("leaves.a_flag_is_kept", "A flag that was set is kept.", TORCH, level="should"),
    claim("inplace.a_write_to_a_leaf", "Writing to a leaf in place raises an error.", TORCH),
    claim(
        "ties.ties_share",
        "Equal greatest elements share the gradient.",
        TORCH,
        ARTICLE,
        check=CHECK,
        was=["kinks.ties"],
    ),
    claim(
        "complex.a_real_loss",
        "The gradient of a real loss points uphill, or along the conjugate.",
        CitationRecord("torch", "notes/autograd", "", "Notes", "https://example.org/notes", convention="uphill"),
        CitationRecord(
            "jax", "autodiff_cookbook", "", "Cookbook", "https://example.org/cook", convention="its_conjugate"
        ),
        level="may",
    ),
    claim("ties.sorting", "Sorting carries gradients to where they came from.", TORCH, JAX, level="should"),
]
IDS = [record.id for record in RECORDS]
FAIL, DIFFERS, ABSENT = Verdict.FAIL, Verdict.DIFFERS, Verdict.ABSENT
LACKS = "no tape; probe: grad(f) needs no backward"
KNOWN = KnownRecord("The first tie takes all.", "https://example.org/issues/1", "2026-06-01")


def _torch(ties: ResultRecord) -> list[ResultRecord]:
    cased = [result(f"{IDS[5]}[{case}]") for case in ("sort", "topk")]
    return [result(id) for id in IDS[:3]] + [ties, result(IDS[4], convention="uphill"), *cased]


def _jax() -> list[ResultRecord]:
    observed = "got [0. 0. 1.], expected [1. 0. 0.]"
    return [
        *(result(id, ABSENT, LACKS) for id in IDS[:3]),
        result(IDS[3], DIFFERS, "got [1. 0.], expected [0.5 0.5]"),
        result(IDS[4], convention="its_conjugate"),
        result(f"{IDS[5]}[sort]"),
        result(f"{IDS[5]}[topk]", FAIL, observed),
    ]


def _files(ties: ResultRecord) -> Matrix:
    matrix = merge(
        [
            results_file("torch", _torch(result(IDS[3])), RECORDS, version="2.12", path="old.jsonl"),
            results_file("torch", _torch(ties), RECORDS, version="2.13"),
            results_file("jax", _jax(), RECORDS, version="0.10"),
            results_file("reference", _torch(result(IDS[3])), RECORDS, version="0.1"),
        ]
    )
    return msgspec.structs.replace(matrix, cells=[_scripted(cell) for cell in matrix.cells])


def _scripted(cell: MatrixCell) -> MatrixCell:
    """Scripts for what differs and fails, and for a behaviour with cases."""
    wanted = cell.behaviour.startswith(f"{IDS[5]}[") and "jax" not in cell.engine
    text = "import jax\n" if cell.verdict == DIFFERS else SCRIPT if wanted or cell.verdict == FAIL else ""
    return msgspec.structs.replace(cell, script=text if wanted or cell.behaviour == IDS[3] else "")


def sample() -> Matrix:
    """Seven rows in four chapters, of which four are highlighted, on four columns."""
    return _files(result(IDS[3], FAIL, "got [1. 0.], expected [0.5 0.5] in grad(amax)([2, 2])", known=KNOWN))


def earlier() -> Matrix:
    """The same before torch 2.13 broke a promise."""
    return _files(result(IDS[3]))
