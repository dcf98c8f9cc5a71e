"""Records that the commands print as JSON."""

from __future__ import annotations

import msgspec

from conformance.results import BehaviourRecord, SuiteRecord
from reports.model import MatrixCell, Section, Tally


class EngineCountsRecord(msgspec.Struct):
    """A column of a section: cells by verdict, those that were not run, and known failures."""

    section: Section
    column: str
    version: str
    verdicts: dict[str, int]
    not_run: int
    known: int


class StaleRecord(msgspec.Struct):
    """A known failure that did not occur as its entry says."""

    engine: str
    problem: str


class OutcomeRecord(msgspec.Struct):
    """The outcome of one run or several, section after section: files written, counts, what is unexpected.

    `differences` are unexpected too, but do not count for the exit status. `tallies` count generated programs.
    """

    exit_status: int
    files: list[str]
    suite: SuiteRecord
    engines: list[EngineCountsRecord]
    unexpected: list[MatrixCell]  # these and `stale` alone make the exit status 1
    differences: list[MatrixCell]
    stale: list[StaleRecord]
    overdue: list[MatrixCell]
    tallies: list[Tally] = []  # msgspec copies an empty default: no two records share it


class ShownRecord(msgspec.Struct):
    """A behaviour with the code of its check, and mutants that it kills, in words."""

    behaviour: BehaviourRecord
    mutants: list[str]


class ShownOperationRecord(msgspec.Struct, tag="operation", tag_field="kind"):
    """An operation with its special points in words, and the ids of the laws on it."""

    signature: str
    meaning: str
    points: str
    laws: list[str]


class ScriptRecord(msgspec.Struct, tag="script", tag_field="kind"):
    """A cell as a program in the engine's own API; with `--issue`, as an issue for the engine's tracker."""

    script: str


class InstalledEngineRecord(msgspec.Struct):
    """A registered adapter: its class, its source file, and what it imports that is not installed here."""

    name: str
    adapter: str
    source: str
    missing: list[str]
