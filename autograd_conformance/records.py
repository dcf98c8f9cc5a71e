"""What the commands print as JSON."""

from __future__ import annotations

import msgspec

from conformance.results import BehaviourRecord
from reports.model import MatrixCell, Suite
from reports.programs_model import CampaignRow, SignatureRow

__all__ = [
    "EngineCountsRecord",
    "InstalledEngineRecord",
    "KnownSignatureRecord",
    "OutcomeRecord",
    "ProgramsRecord",
    "ScriptRecord",
    "ShownRecord",
    "StaleRecord",
]


class EngineCountsRecord(msgspec.Struct):
    """A column: how many cells have each verdict, how many were not run, how many are known failures."""

    column: str
    version: str
    verdicts: dict[str, int]
    not_run: int
    known: int


class StaleRecord(msgspec.Struct):
    """A known failure that did not occur as its entry says."""

    engine: str
    problem: str


class ProgramsRecord(msgspec.Struct):
    """What campaigns of programs tried, the signatures that no known failure lists, and the other signatures."""

    campaigns: list[CampaignRow]
    new: list[SignatureRow]
    known: list[KnownSignatureRecord]


class KnownSignatureRecord(msgspec.Struct):
    """A signature that a known failure lists, and how many programs have it."""

    engine: str
    signature: str
    programs: int


class OutcomeRecord(msgspec.Struct):
    """The outcome of one run or several: files written, counts, what is unexpected.

    `differences` are unexpected too, but do not count for the exit status. `operations` has the counts of a sweep over
    operations beside behaviours, by its own verdicts, `programs` the outcome of campaigns.
    """

    exit_status: int
    files: list[str]
    suite: Suite
    engines: list[EngineCountsRecord]
    unexpected: list[MatrixCell]
    differences: list[MatrixCell]
    stale: list[StaleRecord]
    overdue: list[MatrixCell]
    slowest: list[MatrixCell]
    operations: list[EngineCountsRecord] = []
    programs: ProgramsRecord | None = None


class ShownRecord(msgspec.Struct):
    """A behaviour with the code of its check, and mutants that it kills, in words."""

    behaviour: BehaviourRecord
    mutants: list[str]


class ScriptRecord(msgspec.Struct):
    """A cell as a program in the engine's own API; with `--issue`, as an issue for the engine's tracker."""

    script: str


class InstalledEngineRecord(msgspec.Struct):
    """A registered adapter: its class, its source file, and what it imports that is not installed here."""

    name: str
    adapter: str
    source: str
    missing: list[str]
