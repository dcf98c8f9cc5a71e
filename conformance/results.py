"""The result model: the records of a results file, which results_file.py reads and writes.

A results file is JSON lines: a header, one line per behaviour that was selected, one per result, and a footer. A run of
generated programs has a tally for each range of seeds in the place of behaviours, and results for findings only. Lines
are only ever appended. A file without a footer is a run that was cut short.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from conformance.verdicts import Outcome, Reason, Verdict, Witness

__all__ = [
    "PROGRAMS",
    "SCHEMA",
    "BehaviourRecord",
    "CitationRecord",
    "DeathRecord",
    "EngineRecord",
    "EvidenceRecord",
    "Footer",
    "Header",
    "KnownRecord",
    "Record",
    "ResultRecord",
    "ResultsError",
    "ResultsFile",
    "SuiteRecord",
    "TallyRecord",
]

SCHEMA = "autograd-conformance/results/2"
# The part of the suite that a run of generated programs is about.
PROGRAMS = "programs"

Count = Annotated[int, msgspec.Meta(ge=0)]
# Not NaN, and what a matrix can hold.
Seconds = Annotated[float, msgspec.Meta(ge=0, lt=1e9)]


class ResultsError(Exception):
    """A results file cannot be used; the message names it, the reason and what to do."""


class SuiteRecord(msgspec.Struct, frozen=True):
    """Which specification was run: its version, and a digest of everything that a verdict depends on."""

    version: str
    revision: str


class EngineRecord(msgspec.Struct, frozen=True):
    """The engine that was run. `spec` is what was given on the command line, `sources` name to documented version."""

    spec: str
    name: str
    version: str
    parameters: dict[str, str]
    sources: dict[str, str]
    platform: str
    python: str


class EvidenceRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence that carries a citation: its kind, first words, number of words and digest, and the page's version."""

    kind: str
    words: str
    count: int
    digest: str
    version: str = ""


class CitationRecord(msgspec.Struct, frozen=True):
    """Who promises, and where it can be read."""

    source: str
    page: str
    section: str
    title: str
    address: str
    since: str = ""
    until: str = ""
    raises: str = ""
    warns: str = ""
    says: str = ""
    convention: str | None = None
    evidence: list[EvidenceRecord] = []


class KnownRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The published part of the known failure that lists a cell; title, class and issues are those of its `cause`."""

    reason: str
    upstream: str = ""
    review_after: str = ""
    cause: str = ""
    title: str = ""
    kind: str = ""
    issues: list[str] = []


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="kind"):
    """How the run was started.

    `selected` counts the cells that it is to fill, `complete` says that those are all of the suite, `seed` (0: none) is
    that of the order, `adapter` a digest of the adapter's source, `known_failures` the file that an adapter from
    outside brings (empty: the one here), `fallbacks` what the system that it ran on cannot do for a run, `part` is
    empty, `operations` for the laws, or `programs`; `listed` is a digest of the known signatures of programs.
    """

    schema: str
    suite: SuiteRecord
    engine: EngineRecord
    command: list[str]
    seed: int
    selected: Count
    complete: bool
    started: str
    adapter: str = ""
    limit_s: float = 0.0
    known_failures: str = ""
    memory_gib: float = 0.0
    fallbacks: list[str] = []
    part: str = ""
    listed: str = ""


class BehaviourRecord(msgspec.Struct, frozen=True, tag="behaviour", tag_field="kind"):
    """What is claimed, for readers without the suite, and which cells of it were selected.

    `check` is the source of the function that checks it, `was` lists ids that it had earlier, `aliases` what people
    type who look for it. `group` is the part of the contents that its chapter belongs to.
    """

    id: str
    chapter: str
    level: str
    statement: str
    citations: list[CitationRecord]
    conventions: list[str]
    cells: list[str] = []
    check: str = ""
    was: list[str] = []
    aliases: list[str] = []
    group: str = ""
    chapter_title: str = ""


class DeathRecord(msgspec.Struct, frozen=True, tag="death", tag_field="kind"):
    """A worker that died, or passed the limit, inside a cell; a result follows when it was tried again alone.

    `after` is the cell that the worker finished last: until it has been tried alone, it may be the cause. The cell of a
    generated program is KIND:SEED, and a tally follows.
    """

    id: str
    worker: str
    verdict: Verdict
    message: str
    after: str = ""


class ResultRecord(msgspec.Struct, frozen=True, omit_defaults=True, tag="result", tag_field="kind"):
    """One cell, with the facts of its outcome. `replaces`: an earlier row is wrong, because of a later death.

    The cell of a generated program is ORACLE[KIND:SEED]; `signature` names what is wrong, `program` is the smallest
    program that shows it, as data.
    """

    id: str
    verdict: Verdict
    convention: str | None
    message: str
    duration_s: Seconds
    known: KnownRecord | None = None
    replaces: bool = False
    signature: str = ""
    program: dict[str, Any] | None = None
    reason: Reason | None = None
    witness: Witness | None = None

    @classmethod
    def of(cls, cell: str, outcome: Outcome, duration_s: float) -> ResultRecord:
        """The row of a cell with this outcome."""
        row = cls(cell, outcome.verdict, outcome.convention, outcome.message, duration_s)
        return msgspec.structs.replace(row, reason=outcome.reason, witness=outcome.witness)

    @property
    def outcome(self) -> Outcome:
        """Verdict, convention, message and the facts behind them."""
        return Outcome(self.verdict, self.convention, self.message, self.reason, self.witness)


class TallyRecord(msgspec.Struct, frozen=True, tag="tally", tag_field="kind"):
    """A range of seeds, without `last`, of generated programs of one kind.

    `judged` programs came to an oracle; the engine lacks `unsupported` ones. `seen` counts programs by signature, those
    of known failures included. `ended` counts programs in which a process ended once, and which ran through alone.
    """

    programs_of: str
    first: Count
    last: Count
    programs: Count
    judged: Count
    unsupported: Count
    seen: dict[str, Count]
    seconds: Seconds
    ended: Count = 0


class Footer(msgspec.Struct, frozen=True, tag="footer", tag_field="kind"):
    """The run came to its end. `stale` lists the stale known failures, `known` has those that tallies count."""

    duration_s: Seconds
    stale: list[str]
    known: dict[str, KnownRecord] = {}


Record = Header | BehaviourRecord | DeathRecord | ResultRecord | TallyRecord | Footer


class ResultsFile(msgspec.Struct, frozen=True):
    """A complete results file, read."""

    path: str
    header: Header
    behaviours: list[BehaviourRecord]
    results: list[ResultRecord]
    footer: Footer
    tallies: list[TallyRecord] = []
