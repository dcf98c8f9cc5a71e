"""The result model: what a run writes, line by line, and what everything else reads.

A results file is JSON lines: a header, one line per behaviour that was selected, one per result, and a footer. Lines
are only ever appended. A file without a footer is a run that was cut short.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TextIO

import msgspec

from conformance.verdicts import Outcome, Reason, Verdict, Witness

__all__ = [
    "SCHEMA",
    "BehaviourRecord",
    "CitationRecord",
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
    "WorkerDeath",
    "append",
    "file_name",
    "parse_line",
    "read",
    "records",
]

SCHEMA = "autograd-conformance/results/1"


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
    empty, or `operations` for the laws.
    """

    schema: str
    suite: SuiteRecord
    engine: EngineRecord
    command: list[str]
    seed: int
    selected: Annotated[int, msgspec.Meta(ge=0)]
    complete: bool
    started: str
    adapter: str = ""
    limit_s: float = 0.0
    known_failures: str = ""
    memory_gib: float = 0.0
    fallbacks: list[str] = []
    part: str = ""


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


class WorkerDeath(msgspec.Struct, frozen=True, tag="death", tag_field="kind"):
    """A worker that died, or passed the limit, inside a cell; a result follows when it was tried again alone.

    `after` is the cell that the worker finished last: until it has been tried alone, it may be the cause.
    """

    id: str
    worker: str
    verdict: Verdict
    message: str
    after: str = ""


class ResultRecord(msgspec.Struct, frozen=True, omit_defaults=True, tag="result", tag_field="kind"):
    """One cell, with the facts of its outcome. `replaces`: an earlier row is wrong, because of a later death."""

    id: str
    verdict: Verdict
    convention: str | None
    message: str
    duration_s: Seconds
    known: KnownRecord | None = None
    replaces: bool = False
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


class Footer(msgspec.Struct, frozen=True, tag="footer", tag_field="kind"):
    """The run came to its end. `stale` lists the stale known failures."""

    duration_s: Seconds
    stale: list[str]


Record = Header | BehaviourRecord | WorkerDeath | ResultRecord | Footer


class ResultsFile(msgspec.Struct, frozen=True):
    """A complete results file, read."""

    path: str
    header: Header
    behaviours: list[BehaviourRecord]
    results: list[ResultRecord]
    footer: Footer


def file_name(spec: str) -> str:
    """The name of an engine's results file: no two engines share one, also where case does not count."""
    if re.fullmatch(r"[a-z0-9_]{1,60}", spec):
        return f"{spec}.jsonl"
    # `jax:jit` and `module:Class` cannot be names of files everywhere. The digest tells apart what looks the same.
    readable = re.sub(r"[^a-z0-9_]+", "_", spec.lower())[:60]
    return f"{readable}-{hashlib.sha256(os.fsencode(spec)).hexdigest()[:8]}.jsonl"


def append(stream: TextIO, record: Record) -> None:
    """Write one line and flush it: what was written survives the end of the process, however it ends."""
    stream.write(msgspec.json.encode(record).decode() + "\n")
    stream.flush()


# Built once: building it reads the annotations of all record types.
_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def parse_line(line: bytes) -> Record:
    """One line of a results file. Raises msgspec.DecodeError if it is none."""
    try:
        return _decoder.decode(line)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None


def records(path: Path) -> Iterator[Record]:
    """The lines of a results file, one by one. Raises ResultsError at the first that is not one."""
    for number, line in enumerate(_lines(path), 1):
        try:
            yield parse_line(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = f"line {number} is not a record of {SCHEMA}: {error}"
            raise ResultsError(f"{path}: {problem}; {_remedy(line)}") from None


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror or error}; give a results file written by a run") from None


def _remedy(line: bytes) -> str:
    # A process that is killed while it writes leaves a line without its end.
    torn = line.startswith(b"{") and not line.rstrip().endswith(b"}")
    return "the run was cut short, run it again" if torn else "was the file written by another version, or by hand?"


def read(path: Path) -> ResultsFile:
    """A complete file. Raises ResultsError if it is missing, foreign, of another schema, or was cut short."""
    lines = list(records(path))
    if not lines or not isinstance(lines[0], Header):
        raise ResultsError(f"{path}: does not begin with a header; give a results file written by a run")
    if lines[0].schema != SCHEMA:
        raise ResultsError(f"{path}: has schema {lines[0].schema!r}, expected {SCHEMA!r}; run the engine again")
    if not isinstance(lines[-1], Footer):
        raise ResultsError(f"{path}: has no footer, the run was cut short; run the engine again")
    return ResultsFile(str(path), lines[0], _of(BehaviourRecord, lines), last_per_cell(lines), lines[-1])


def last_per_cell(lines: Iterable[Record]) -> list[ResultRecord]:
    """One row per cell, the last one written: later rows replace earlier ones."""
    # Later lines win, and a dictionary keeps the place of the first.
    cells = {line.id: line for line in lines if isinstance(line, ResultRecord)}
    return list(cells.values())


def _of(kind: type[BehaviourRecord], lines: Iterable[Record]) -> list[BehaviourRecord]:
    return [line for line in lines if isinstance(line, kind)]
