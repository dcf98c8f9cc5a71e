"""Campaigns of generated programs as they are published: results files made one, and read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec

from conformance.results import ResultRecord, ResultsFile, TallyRecord
from conformance.tallies import findings_of_tally, join_tallies, place_of
from reports.files import ReportError
from reports.joining import columns_of
from reports.loading import REMEDY, decoded
from reports.model import Known, MatrixEngine, Suite
from reports.programs_model import PROGRAMS_SCHEMA, CampaignRow, Programs, SignatureRow

__all__ = ["canonical_programs", "join_programs", "load_programs", "new_signatures", "programs_of"]

Part = TypeVar("Part", bound=msgspec.Struct)
Seeds = tuple[int, int]


def programs_of(file: ResultsFile) -> Programs:
    """The same of one results file. Raises ReportError if it cannot be published."""
    header, column = file.header, file.header.engine.spec
    fields = msgspec.structs.asdict(header.engine)
    engine = MatrixEngine(
        column=column,
        **fields,
        started=header.started,
        duration_s=file.footer.duration_s,
        seed=0,
        complete=False,
        stale=[],
    )
    known = {name: _published(record, Known, file.path) for name, record in file.footer.known.items()}
    tallies = join_tallies(file.tallies)
    campaigns = [_campaign(column, header.adapter, tally) for tally in tallies]
    rows = [row for tally in tallies for row in _signatures(column, tally, findings_of_tally(tally, file.results))]
    listed = [msgspec.structs.replace(row, known=known.get(row.signature)) for row in rows]
    suite = _published(header.suite, Suite, file.path)
    return join_programs([(file.path, Programs(PROGRAMS_SCHEMA, suite, [engine], campaigns, listed))])


def _campaign(column: str, adapter: str, tally: TallyRecord) -> CampaignRow:
    return CampaignRow(
        engine=column,
        kind=tally.programs_of,
        adapter=adapter,
        ranges=[(tally.first, tally.last)],
        programs=tally.programs,
        judged=tally.judged,
        unsupported=tally.unsupported,
        seconds=tally.seconds,
    )


def _signatures(column: str, tally: TallyRecord, findings: Sequence[ResultRecord]) -> list[SignatureRow]:
    smallest = {row.signature: row for row in findings}
    rows = {name: SignatureRow(column, name, {tally.programs_of: count}, None) for name, count in tally.seen.items()}
    return [_with_program(row, smallest.get(name)) for name, row in rows.items()]


def _with_program(row: SignatureRow, finding: ResultRecord | None) -> SignatureRow:
    if finding is None:
        return row
    oracle, kind, seed = place_of(finding)
    shown = {"oracle": oracle, "kind": kind, "seed": seed, "message": finding.message, "program": finding.program}
    return msgspec.structs.replace(row, **shown)


def _published(record: msgspec.Struct, kind: type[Part], path: str) -> Part:
    """A record of the results in the published form."""
    try:
        return msgspec.convert(record, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: cannot be published: {error}; try the seeds again") from None


def join_programs(sources: Sequence[tuple[str, Programs]]) -> Programs:
    """One from several, each with the path to name. Raises ReportError if they do not belong together."""
    _check_same_suite(sources)
    engines = _engines([engine for _, one in sources for engine in one.engines])
    columns = {(engine.spec, engine.version): column for column, engine in columns_of(engines).items()}
    campaigns: dict[tuple[str, str], list[tuple[str, CampaignRow]]] = {}
    signatures: dict[tuple[str, str], SignatureRow] = {}
    for path, one in sources:
        now = {engine.column: columns[engine.spec, engine.version] for engine in one.engines}
        for campaign in one.campaigns:
            row = msgspec.structs.replace(campaign, engine=now[campaign.engine])
            campaigns.setdefault((row.engine, row.kind), []).append((path, row))
        for found in one.signatures:
            line = msgspec.structs.replace(found, engine=now[found.engine])
            known = signatures.get(place := (line.engine, line.signature))
            signatures[place] = _more_programs(known, line) if known else line
    named = [msgspec.structs.replace(one, column=columns[one.spec, one.version]) for one in engines]
    order = list(columns.values())
    rows = sorted(map(_one_campaign, campaigns.values()), key=lambda row: (order.index(row.engine), row.kind))
    lines = sorted(signatures.values(), key=lambda line: _rank(line, order))
    return Programs(PROGRAMS_SCHEMA, sources[0][1].suite, named, rows, lines)


def _rank(line: SignatureRow, order: Sequence[str]) -> tuple[int, bool, int, str]:
    return order.index(line.engine), line.known is not None, -line.count, line.signature


def _check_same_suite(sources: Sequence[tuple[str, Programs]]) -> None:
    (first, mine), *others = sources
    for path, other in others:
        if other.suite != mine.suite:
            raise ReportError(
                f"{path}: ran suite {other.suite.version} ({other.suite.revision}), but {first} ran "
                f"{mine.suite.version} ({mine.suite.revision}); run both with the same suite"
            )


def _engines(engines: Iterable[MatrixEngine]) -> list[MatrixEngine]:
    """One for each engine in a version: it began when its first campaign did, and took as long as all."""
    found: dict[tuple[str, str], MatrixEngine] = {}
    for one in engines:
        before = found.get(place := (one.spec, one.version))
        started = min(one.started, before.started) if before else one.started
        seconds = one.duration_s + (before.duration_s if before else 0.0)
        found[place] = msgspec.structs.replace(before or one, started=started, duration_s=round(seconds, 3))
    return list(found.values())


def _one_campaign(parts: Sequence[tuple[str, CampaignRow]]) -> CampaignRow:
    """All together. Raises ReportError where two have a seed in common, or were made with different adapters."""
    (first, mine), *others = parts
    where = f"kind {mine.kind} of {mine.engine}"
    for path, other in others:
        if other.adapter != mine.adapter:
            raise ReportError(
                f"{path}: {where} ran adapter {other.adapter}, but {first} ran {mine.adapter}; try the seeds again"
            )
    ranges = sorted((*seeds, path) for path, row in parts for seeds in row.ranges)
    for (_, end, path), (start, last, other_path) in pairwise(ranges):
        if start < end:
            common = f"seeds {start}:{min(end, last)} of {where}"
            raise ReportError(f"{other_path}: has {common}, as {path} has; leave one of them out")
    return msgspec.structs.replace(
        mine,
        ranges=_neighbours_joined((start, end) for start, end, _ in ranges),
        programs=sum(row.programs for _, row in parts),
        judged=sum(row.judged for _, row in parts),
        unsupported=sum(row.unsupported for _, row in parts),
        seconds=round(sum(row.seconds for _, row in parts), 3),
    )


def _neighbours_joined(ranges: Iterable[Seeds]) -> list[Seeds]:
    found: list[Seeds] = []
    for first, last in ranges:
        if found and found[-1][1] == first:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return found


def _more_programs(one: SignatureRow, other: SignatureRow) -> SignatureRow:
    """Both together, with the program of the lower seed."""
    shown = min((one, other), key=lambda row: (row.seed is None, row.kind, row.seed or 0))
    counts = Counter(one.counts)
    counts.update(other.counts)
    return msgspec.structs.replace(shown, counts=dict(sorted(counts.items())), known=one.known or other.known)


def new_signatures(found: Programs) -> list[SignatureRow]:
    """Those that no known failure lists: they make the exit status 1."""
    return [row for row in found.signatures if row.known is None]


def load_programs(path: Path) -> Programs:
    """Read programs.json. Raises ReportError if it is missing, torn, of another schema, or inconsistent."""
    found = decoded(path, Programs, PROGRAMS_SCHEMA, "programs")
    columns = {engine.column for engine in found.engines}
    places = [(row.engine, row.kind) for row in found.campaigns]
    places += [(row.engine, row.signature) for row in found.signatures]
    for (engine, name), count in Counter(places).items():
        if engine not in columns or count > 1:
            problem = "appears twice" if count > 1 else "has no column"
            raise ReportError(f"{path}: {name!r} of {engine} {problem}; {REMEDY}")
    return found


def canonical_programs(found: Programs) -> str:
    """What makes two equal: seeds, counts, signatures and programs, without times and machines."""
    campaigns = [msgspec.structs.replace(row, seconds=0.0) for row in found.campaigns]
    engines = [(engine.column, engine.version) for engine in found.engines]
    return msgspec.json.format(msgspec.json.encode([found.suite, engines, campaigns, found.signatures])).decode()
