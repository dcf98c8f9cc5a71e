"""Tallies: ranges of seeds that were run. Neighbouring ranges are joined, so that it does not matter who ran which."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from conformance.results import ResultRecord, ResultsError, TallyRecord

_PLACE = re.compile(r"(.*)\[(\w+):(\d+)\]", re.DOTALL)


class SeedRange(msgspec.Struct, frozen=True):
    """Seeds of a kind of programs, without `last`."""

    kind: str
    first: int
    last: int

    @property
    def size(self) -> int:
        """Number of seeds."""
        return self.last - self.first


def place_of(finding: ResultRecord) -> tuple[str, str, int]:
    """Oracle, kind and seed of a generated program's result. Raises ResultsError where its id has no such form."""
    match = _PLACE.fullmatch(finding.id)
    if match is None:
        raise ResultsError(f"{finding.id!r} is no result of a generated program: its id must be ORACLE[KIND:SEED]")
    return match[1], match[2], int(match[3])


def join_tallies(tallies: Iterable[TallyRecord]) -> list[TallyRecord]:
    """The same with neighbouring ranges joined, sorted. Raises ResultsError where ranges of a kind overlap."""
    joined: list[TallyRecord] = []
    # Sorted by kind, as `groupby` joins neighbours only.
    ordered = sorted(tallies, key=lambda tally: (tally.programs_of, tally.first))
    for kind, of_kind in groupby(ordered, key=lambda tally: tally.programs_of):
        groups: list[list[TallyRecord]] = []
        for tally in of_kind:
            before = groups[-1][-1] if groups else None
            if before and tally.first < before.last:
                overlap = f"{tally.first}:{min(tally.last, before.last)}"
                raise ResultsError(f"seeds {overlap} of kind {kind} are there twice")
            if before and tally.first == before.last:
                groups[-1].append(tally)
            else:
                groups.append([tally])
        joined += map(_sum, groups)
    return joined


def joined_records(records: Sequence[ResultRecord | TallyRecord]) -> Iterator[ResultRecord | TallyRecord]:
    """Joined tallies, each after the finding of the lowest seed for each of its signatures."""
    findings = [record for record in records if isinstance(record, ResultRecord)]
    for tally in join_tallies(record for record in records if isinstance(record, TallyRecord)):
        yield from findings_of_tally(tally, findings)
        yield tally


def _sum(parts: Sequence[TallyRecord]) -> TallyRecord:
    """Join ranges that follow each other: the same in whichever parts it was run."""
    seen: Counter[str] = Counter()
    for part in parts:
        seen.update(part.seen)
    return TallyRecord(
        programs_of=parts[0].programs_of,
        first=parts[0].first,
        last=parts[-1].last,
        programs=sum(part.programs for part in parts),
        judged=sum(part.judged for part in parts),
        unsupported=sum(part.unsupported for part in parts),
        seen=dict(sorted(seen.items())),
        seconds=round(sum(part.seconds for part in parts), 3),
        ended=sum(part.ended for part in parts),
    )


def findings_of_tally(tally: TallyRecord, findings: Iterable[ResultRecord]) -> list[ResultRecord]:
    """The finding of the lowest seed within the range for each signature, sorted by signature."""
    lowest: dict[str, ResultRecord] = {}
    # By seed alone: rows have no order, and where a seed has several, the first that came stays first.
    for finding in sorted(findings, key=lambda finding: place_of(finding)[2]):
        _, kind, seed = place_of(finding)
        if kind == tally.programs_of and tally.first <= seed < tally.last:
            lowest.setdefault(finding.signature, finding)
    return [lowest[signature] for signature in sorted(lowest)]


def missing_ranges(tallies: Iterable[TallyRecord], wanted: Iterable[SeedRange]) -> list[SeedRange]:
    """The parts of the wanted ranges that no tally has, in order."""
    joined = join_tallies(tallies)
    return [part for seeds in wanted for part in _missing(joined, seeds)]


def _missing(joined: Sequence[TallyRecord], wanted: SeedRange) -> Iterator[SeedRange]:
    first = wanted.first
    # Joined ranges of a kind are sorted, and do not overlap.
    for tally in joined:
        if tally.programs_of == wanted.kind:
            if first < min(tally.first, wanted.last):
                yield SeedRange(wanted.kind, first, min(tally.first, wanted.last))
            first = max(first, tally.last)
    if first < wanted.last:
        yield SeedRange(wanted.kind, first, wanted.last)
