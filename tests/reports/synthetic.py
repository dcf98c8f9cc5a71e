"""A matrix as large as they may become, made up."""

from __future__ import annotations

from conformance.results import BehaviourRecord, CitationRecord
from conformance.verdicts import Verdict
from reports.model import Matrix
from tests.matrices import merge
from tests.reports.making import result, results_file

ENGINES, BEHAVIOURS = 40, 1000
HOSTILE = "@everyone | `x` <img src=x> https://example.org " * 40


def wide(verdict: Verdict, name: str = "an_engine_with_a_rather_long_name", text: str = HOSTILE) -> Matrix:
    """Every cell has the verdict, and a long message that Markdown would act on."""
    citations = [CitationRecord("torch", "torch.amax", "", "torch.amax", "https://example.org/amax")]
    records = [
        BehaviourRecord(f"chapter_{n % 50}.behaviour_{n}_of_many", f"chapter_{n % 50}", "must", text, citations, [])
        for n in range(BEHAVIOURS)
    ]
    results = [result(record.id, verdict, text) for record in records]
    return merge([results_file(f"{name}_{n}", results, records, stale=[text] * 20) for n in range(ENGINES)])
