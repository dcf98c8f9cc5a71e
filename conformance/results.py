"""The result model: the records of a results file, which results_file.py reads and writes.

A results file is JSON lines: a header, one line per behaviour that was selected, one per result, and a footer. A run of
generated programs has a tally for each range of seeds in the place of behaviours, and results for findings only. Lines
are only ever appended. A file without a footer is a run that was cut short.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from conformance.messages import InputError
from conformance.verdicts import CauseKind, Outcome, Reason, Verdict, Witness

SCHEMA = "autograd-conformance/results/2"
# The part of the suite that a run of generated programs is about.
PROGRAMS = "programs"

Count = Annotated[int, Meta(ge=0)]
# Not NaN, and what a matrix can hold.
Seconds = Annotated[float, Meta(ge=0, lt=1e9)]


class ResultsError(InputError):
    """A results file cannot be used; the message names it, the reason and what to do."""


class PublishedPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of results that reports publish as it is: immutable, and strict about its fields when read."""


class SuiteRecord(PublishedPart, frozen=True):
    """Which specification was run."""

    version: Annotated[str, Meta(description="Version of the suite, for people.")]
    revision: Annotated[str, Meta(description="Digest of everything that a verdict depends on.")]


class EngineRecord(PublishedPart, frozen=True):
    """The engine that was run."""

    spec: Annotated[str, Meta(description="As given on the command line, for example `jax:jit`.")]
    name: Annotated[str, Meta(description="The adapter's own name for the engine.")]
    version: Annotated[str, Meta(description="Version of the engine.")]
    parameters: Annotated[dict[str, str], Meta(description="Parameters of the adapter: name to value.")]
    sources: Annotated[
        dict[str, str],
        Meta(description="Documentations that it is held to, the first to speak deciding: name to version."),
    ]
    platform: Annotated[str, Meta(description="Operating system and processor.")]
    python: Annotated[str, Meta(description="Version of Python.")]


class EvidenceRecord(PublishedPart, frozen=True, omit_defaults=True):
    """The sentence of a page that carries a citation. The sentence itself is not stored."""

    kind: Annotated[str, Meta(description="`rule`, `error`, `precondition`, `example`, `observation` or `permission`.")]
    words: Annotated[str, Meta(description="its first words, at most five.")]
    count: Annotated[int, Meta(description="How many words it has.", ge=1)]
    digest: Annotated[str, Meta(description="Digest of its words.")]
    version: Annotated[str, Meta(description="Version of the page; empty for a docstring.")] = ""


class CitationRecord(PublishedPart, frozen=True):
    """The source that promises a behaviour, and where to read it. Texts that do not apply are empty."""

    source: Annotated[str, Meta(description="The documentation that promises, for example `torch`.")]
    page: Annotated[str, Meta(description="Key of the page.")]
    section: Annotated[str, Meta(description="Section of the page.")]
    title: Annotated[str, Meta(description="Title of the page.")]
    address: Annotated[str, Meta(description="Address or file name of the page.")]
    since: Annotated[str, Meta(description="First documented version that makes the promise.")] = ""
    until: Annotated[str, Meta(description="Last documented version that makes the promise.")] = ""
    raises: Annotated[str, Meta(description="Type of the error that is promised.")] = ""
    warns: Annotated[str, Meta(description="Type of the warning that is promised.")] = ""
    says: Annotated[str, Meta(description="A characteristic phrase of the promised error's or warning's message.")] = ""
    convention: Annotated[str | None, Meta(description="The named outcome that is cited, where there are several.")] = (
        None
    )
    evidence: Annotated[list[EvidenceRecord], Meta(description="The sentences that carry it.")] = []
    unstated: Annotated[str, Meta(description="Why the page is cited, although no sentence of it has the claim.")] = ""


class KnownRecord(PublishedPart, frozen=True, omit_defaults=True):
    """The known failure that lists the cell. It never changes the verdict."""

    reason: Annotated[str, Meta(description="Why the engine does this.")]
    upstream: Annotated[str, Meta(description="Address of the engine's own issue, or empty.")]
    review_after: Annotated[str, Meta(description="Date after which the entry is to be looked at again, or empty.")]
    cause: Annotated[str, Meta(description="Name of its cause, which may explain many cells.")] = ""
    title: Annotated[str, Meta(description="The cause in a line.")] = ""
    kind: Annotated[CauseKind | None, Meta(description="Kind of the cause; null where it is not known.")] = None
    issues: Annotated[list[str], Meta(description="Addresses of issues about the cause.")] = []
    engine_wide: Annotated[
        bool, Meta(description="Whether it concerns a law with any operation: reports have it once for the column.")
    ] = False

    @property
    def kind_name(self) -> str:
        """The kind in words; empty where it is not known."""
        return self.kind.value if self.kind else ""


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


class ClaimRecord(PublishedPart, frozen=True, omit_defaults=True):
    """A claim, for readers without the suite."""

    id: Annotated[str, Meta(description="`chapter.function`, never reused; of a program, its signature.")]
    chapter: Annotated[str, Meta(description="The chapter that it belongs to.")]
    level: str
    statement: Annotated[str, Meta(description="The claim, in one or two sentences.")]
    citations: Annotated[list[CitationRecord], Meta(description="Who promises it.")]
    conventions: Annotated[
        list[str], Meta(description="Outcomes that documentations allow, where they disagree; else empty.")
    ]
    check: Annotated[str, Meta(description="Source of the function that checks it.")] = ""
    was: Annotated[list[str], Meta(description="Ids that it had earlier.")] = []
    aliases: Annotated[list[str], Meta(description="What people type who look for it.")] = []
    group: Annotated[str, Meta(description="The part of the contents that its chapter belongs to.")] = ""
    chapter_title: Annotated[str, Meta(description="The title of its chapter.")] = ""


class BehaviourRecord(ClaimRecord, frozen=True, omit_defaults=False, tag="behaviour", tag_field="kind"):
    """A claim, and which of its cells were selected."""

    cells: list[str] = []


# Written at once: if the run is cut short before the cell was tried again, its row cannot be trusted.
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


# Without defaults in the file: most rows have none of the last fields, and there are thousands.
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
