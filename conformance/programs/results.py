"""The results of a campaign of generated programs on one engine: what it writes, line by line, and what is read again.

A file is JSON lines: a header, a line per range of seeds that was tried, and a footer. While a campaign goes on, lines
are appended as ranges come in. At its end neighbouring ranges are joined, so that the file depends on the seeds alone,
and not on who tried which range when. A file without a footer is of a campaign that was cut short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, TextIO

import msgspec

from conformance.results import EngineRecord, KnownRecord, ResultsError, Seconds, SuiteRecord
from conformance.results_file import file_name

__all__ = [
    "CAMPAIGN_SCHEMA",
    "BatchRecord",
    "CampaignFile",
    "CampaignFooter",
    "CampaignHeader",
    "CampaignRecord",
    "FindingRecord",
    "append_record",
    "campaign_file_name",
    "campaign_records",
    "canonical",
    "joined_batches",
    "one_batch",
    "read_campaign",
    "read_lines_of",
]

CAMPAIGN_SCHEMA = "autograd-conformance/campaign/1"

Count = Annotated[int, msgspec.Meta(ge=0)]


class FindingRecord(msgspec.Struct, frozen=True):
    """A program that an oracle found wrong. `signature` names what is wrong, `program` is the program as data.

    `oracle` is `crash`, `timeout` or `error` where the program ended its process, took too long, or the suite failed.
    """

    signature: str
    oracle: str
    kind: str
    seed: Count
    message: str
    program: dict[str, Any]


class BatchRecord(msgspec.Struct, frozen=True, tag="batch", tag_field="record"):
    """A range of seeds that was tried, without the seed `last`, with programs of one kind.

    `seen` counts programs by signature, those of known failures included; `findings` has of a signature the one with
    the lowest seed, if it is not a known failure. `judged` programs came to an oracle; the engine lacks
    `unsupported` ones. `ended` counts processes that ended in a program that ran through when it was tried again.
    """

    kind: str
    first: Count
    last: Count
    programs: Count
    judged: Count
    unsupported: Count
    seen: dict[str, Count]
    findings: list[FindingRecord]
    seconds: Seconds
    ended: Count = 0


class CampaignHeader(msgspec.Struct, frozen=True, tag="header", tag_field="record"):
    """How the campaign was started; `adapter` is a digest of the adapter's source, `listed` of the known signatures."""

    schema: str
    suite: SuiteRecord
    engine: EngineRecord
    command: list[str]
    started: str
    adapter: str
    limit_s: float
    listed: str


class CampaignFooter(msgspec.Struct, frozen=True, tag="footer", tag_field="record"):
    """The campaign came to its end. `known` has the signatures that known failures list, with what is published."""

    duration_s: Seconds
    known: dict[str, KnownRecord]


CampaignRecord = CampaignHeader | BatchRecord | CampaignFooter


class CampaignFile(msgspec.Struct, frozen=True):
    """A complete file, read. Neighbouring ranges are joined."""

    path: str
    header: CampaignHeader
    batches: list[BatchRecord]
    footer: CampaignFooter


_decoder: msgspec.json.Decoder[CampaignRecord] = msgspec.json.Decoder(CampaignRecord)


def campaign_file_name(spec: str) -> str:
    """The name of an engine's file: not that of a run of behaviours."""
    # Of an engine called so, the name would have a digest.
    return f"{file_name(spec).removesuffix('.jsonl')}-programs.jsonl"


def append_record(stream: TextIO, record: CampaignRecord) -> None:
    """Write one line and flush it: what was written survives the end of the process, however it ends."""
    stream.write(msgspec.json.encode(record).decode() + "\n")
    stream.flush()


def campaign_records(path: Path) -> list[CampaignRecord]:
    """The lines of a file, the header first. Raises ResultsError at the first that is none."""
    return read_lines_of(str(path), _bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror or error}; give a results file written by `programs`") from None


def read_lines_of(path: str, content: bytes) -> list[CampaignRecord]:
    """The lines of a file with this content. Raises ResultsError."""
    found: list[CampaignRecord] = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            found.append(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ResultsError(
                f"{path}: line {number} is not a record of {CAMPAIGN_SCHEMA}: {error}; was the campaign cut short, or "
                "the file edited? Continue it with --resume, or try the seeds again"
            ) from None
    if not found or not isinstance(found[0], CampaignHeader):
        raise ResultsError(f"{path}: does not begin with a header; give a results file written by `programs`")
    if found[0].schema != CAMPAIGN_SCHEMA:
        raise ResultsError(f"{path}: has schema {found[0].schema!r}, expected {CAMPAIGN_SCHEMA!r}; try the seeds again")
    return found


def read_campaign(path: Path) -> CampaignFile:
    """A complete file. Raises ResultsError if it is missing, foreign, or was cut short."""
    header, *lines = campaign_records(path)
    assert isinstance(header, CampaignHeader)
    if not lines or not isinstance(lines[-1], CampaignFooter):
        raise ResultsError(f"{path}: has no footer, the campaign was cut short; continue it with --resume")
    batches = [line for line in lines if isinstance(line, BatchRecord)]
    try:
        return CampaignFile(str(path), header, joined_batches(batches), lines[-1])
    except ValueError as error:
        raise ResultsError(f"{path}: {error}; try the seeds again") from None


def joined_batches(batches: Iterable[BatchRecord]) -> list[BatchRecord]:
    """The same with neighbouring ranges joined, sorted. Raises ValueError where ranges of one kind overlap."""
    found: list[BatchRecord] = []
    for kind, its in groupby(sorted(batches, key=_place), key=lambda batch: batch.kind):
        groups: list[list[BatchRecord]] = []
        for batch in its:
            before = groups[-1][-1] if groups else None
            if before and batch.first < before.last:
                raise ValueError(f"seeds {batch.first}:{min(batch.last, before.last)} of kind {kind} are there twice")
            if before and batch.first == before.last:
                groups[-1].append(batch)
            else:
                groups.append([batch])
        found += map(one_batch, groups)
    return found


def _place(batch: BatchRecord) -> tuple[str, int]:
    return batch.kind, batch.first


def one_batch(parts: Sequence[BatchRecord]) -> BatchRecord:
    """Ranges that follow one another, as one range: the same whichever parts it was tried in."""
    seen: Counter[str] = Counter()
    for part in parts:
        seen.update(part.seen)
    findings: dict[str, FindingRecord] = {}
    for one in sorted((one for part in parts for one in part.findings), key=lambda one: one.seed):
        findings.setdefault(one.signature, one)
    return BatchRecord(
        kind=parts[0].kind,
        first=parts[0].first,
        last=parts[-1].last,
        programs=sum(part.programs for part in parts),
        judged=sum(part.judged for part in parts),
        unsupported=sum(part.unsupported for part in parts),
        seen=dict(sorted(seen.items())),
        findings=[findings[signature] for signature in sorted(findings)],
        seconds=round(sum(part.seconds for part in parts), 3),
        ended=sum(part.ended for part in parts),
    )


def canonical(file: CampaignFile) -> str:
    """What makes two campaigns equal: seeds, counts and findings, without times, machine and processes that ended."""
    engine = (file.header.engine.spec, file.header.engine.version, file.header.suite.revision)
    batches = [msgspec.structs.replace(batch, seconds=0.0, ended=0) for batch in file.batches]
    return msgspec.json.format(msgspec.json.encode([engine, batches, file.footer.known])).decode()
