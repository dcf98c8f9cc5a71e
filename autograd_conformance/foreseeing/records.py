"""What `foresee` and `findings` print as JSON."""

from __future__ import annotations

import msgspec

from autograd_conformance.foreseeing.plans import Plan
from conformance.results import CitationRecord

__all__ = ["FindingRecord", "PlanRecord", "plan_record"]


class DraftRecord(msgspec.Struct):
    """An entry that lacks its reason: `message` is a pattern, `versions` a range."""

    behaviour: str
    verdict: str
    message: str
    versions: str


class StaleEntryRecord(msgspec.Struct):
    """An entry, by its number in the file from 1, that did not come true."""

    entry: int
    problem: str


class PlanRecord(msgspec.Struct):
    """What is to change in one file of known failures, or was changed."""

    file: str
    drafts: list[DraftRecord]
    stale: list[StaleEntryRecord]
    written: bool


class FindingRecord(msgspec.Struct):
    """A known cell in which an engine does otherwise than is documented."""

    engine: str
    behaviour: str
    verdict: str
    versions: str
    statement: str
    reason: str
    upstream: str
    citations: list[CitationRecord]
    check: str


def plan_record(plan: Plan, written: bool) -> PlanRecord:
    """A plan as data."""
    return PlanRecord(
        file=str(plan.path),
        drafts=[DraftRecord(one.behaviour, one.verdict.value, one.message, one.versions) for one in plan.drafts],
        stale=[StaleEntryRecord(number + 1, problem) for number, problem in plan.stale.items()],
        written=written,
    )
