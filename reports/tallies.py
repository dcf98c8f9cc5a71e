"""Generated programs that were shared out: ranges of seeds, and counts by signature, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from reports.files import ReportError
from reports.model import MatrixCell, MatrixEngine, Tally

Seeds = tuple[int, int]
# Ranges that are named; of a campaign in CI there may be hundreds.
RANGES = 4


def one_per_version(engines: Iterable[MatrixEngine]) -> list[MatrixEngine]:
    """A column for each engine in a version: it began when its first run did, and took as long as all."""
    columns: dict[tuple[str, str], MatrixEngine] = {}
    for engine in engines:
        before = columns.get(place := (engine.spec, engine.version))
        started = min(engine.started, before.started) if before else engine.started
        seconds = engine.duration_s + (before.duration_s if before else 0.0)
        columns[place] = msgspec.structs.replace(before or engine, started=started, duration_s=round(seconds, 3))
    return list(columns.values())


def sum_tallies(parts: Iterable[tuple[str, Tally]], columns: Sequence[str]) -> list[Tally]:
    """A tally for each engine and kind, from several with the paths to name. Raises ReportError."""
    places: dict[tuple[str, str], list[tuple[str, Tally]]] = {}
    for path, tally in parts:
        places.setdefault((tally.engine, tally.kind), []).append((path, tally))
    return sorted(map(_sum, places.values()), key=lambda tally: (columns.index(tally.engine), tally.kind))


def _sum(parts: Sequence[tuple[str, Tally]]) -> Tally:
    """All together. Raises ReportError where two have a seed in common, or were made with different adapters."""
    (first, mine), *others = parts
    where = f"kind {mine.kind} of {mine.engine}"
    for path, other in others:
        if other.adapter != mine.adapter:
            raise ReportError(
                f"{path}: {where} ran adapter {other.adapter}, but {first} ran {mine.adapter}; try the seeds again"
            )
    return msgspec.structs.replace(
        mine,
        ranges=_joined_ranges(((*seeds, path) for path, tally in parts for seeds in tally.ranges), where),
        programs=sum(tally.programs for _, tally in parts),
        judged=sum(tally.judged for _, tally in parts),
        unsupported=sum(tally.unsupported for _, tally in parts),
        seconds=round(sum(tally.seconds for _, tally in parts), 3),
    )


def _joined_ranges(ranges: Iterable[tuple[int, int, str]], where: str) -> list[Seeds]:
    """Ranges with their paths; those that follow each other as one. Raises ReportError where two overlap."""
    joined: list[Seeds] = []
    before = ""
    # Sorted ranges overlap only if two neighbours do.
    for first, last, path in sorted(ranges):
        start, end = joined.pop() if joined else (first, first)
        if first < end:
            common = f"seeds {first}:{min(end, last)} of {where}"
            raise ReportError(f"{path}: has {common}, as {before} has; leave one of them out")
        # So shared-out seeds read as a whole range, as if run on a single machine.
        joined += [(start, last)] if first == end else [(start, end), (first, last)]
        before = path
    return joined


def summed(cell: MatrixCell, other: MatrixCell) -> MatrixCell:
    """The cell of a signature in two ranges of seeds, with the program of the lower seed."""
    lower = min((cell, other), key=_place)
    counts = Counter(cell.counts)
    counts.update(other.counts)
    return msgspec.structs.replace(lower, counts=dict(sorted(counts.items())), known=cell.known or other.known)


def _place(cell: MatrixCell) -> tuple[bool, str, int]:
    # Without a program (a known failure, which is only counted) after all others.
    return (False, cell.program.kind, cell.program.seed) if cell.program else (True, "", 0)


def seeds_of(ranges: Sequence[Seeds]) -> str:
    """Ranges of seeds as the option `--seeds` takes them, the first few."""
    named = ", ".join(f"{first}:{last}" for first, last in ranges[:RANGES])
    return f"{named} and {len(ranges) - RANGES} more" if len(ranges) > RANGES else named
