"""Campaigns of generated programs as Markdown and as CSV: what was tried, and each signature."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from reports.markdown import code, escape, table
from reports.programs import new_signatures
from reports.programs_model import CampaignRow, Programs, SignatureRow
from reports.table import inert
from reports.text import excerpt

__all__ = ["HEAD", "csv_of", "markdown_of"]

HEAD = ("engine", "signature", "oracle", "kind", "seed", "programs", "known", "message")
# Ranges that are named; of a campaign in CI there may be hundreds.
RANGES = 4


def csv_of(found: Programs) -> str:
    """A row per signature. `message` is its first line, `known` the reason, `programs` how many have it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for one in found.signatures:
        reason = excerpt(one.known.reason) if one.known else ""
        seed = "" if one.seed is None else str(one.seed)
        told = (one.engine, one.signature, one.oracle, one.kind, seed, str(one.count), reason, excerpt(one.message))
        writer.writerow(map(inert, told))
    return stream.getvalue()


def markdown_of(found: Programs) -> str:
    """The whole page. Text from engines is escaped."""
    return "\n\n".join(_parts(found)) + "\n"


def _parts(found: Programs) -> Iterator[str]:
    new = new_signatures(found)
    known = [one for one in found.signatures if one.known]
    yield "# Programs"
    yield f"Specification {escape(found.suite.version)}, revision {code(found.suite.revision)}."
    head = ["engine", "kind", "seeds", "programs", "judged", "unsupported", "programs per second of a worker"]
    yield table(head, [_line(row) for row in found.campaigns])
    yield "## New signatures"
    if new:
        yield table(["engine", "signature", "programs", "first seed", "got"], [_new_line(one) for one in new])
    else:
        yield "None: every signature is a known failure."
    if known:
        yield "## Known failures"
        yield table(["engine", "signature", "programs", "why"], [_known_line(one) for one in known])


def _line(row: CampaignRow) -> list[str]:
    rate = f"{row.programs / row.seconds:,.0f}" if row.seconds else ""
    numbers = [f"{count:,}" for count in (row.programs, row.judged, row.unsupported)]
    return [escape(row.engine), escape(row.kind), seeds_of(row.ranges), *numbers, rate]


def seeds_of(ranges: Sequence[tuple[int, int]]) -> str:
    """Ranges of seeds as they are given to `--seeds`, the first few."""
    named = ", ".join(f"{first}:{last}" for first, last in ranges[:RANGES])
    return f"{named} and {len(ranges) - RANGES} more" if len(ranges) > RANGES else named


def _new_line(one: SignatureRow) -> list[str]:
    first = f"{one.seed} of {escape(one.kind)}" if one.seed is not None else ""
    return [escape(one.engine), code(excerpt(one.signature)), f"{one.count:,}", first, escape(excerpt(one.message))]


def _known_line(one: SignatureRow) -> list[str]:
    why = escape(excerpt(one.known.title or one.known.reason)) if one.known else ""
    return [escape(one.engine), code(excerpt(one.signature)), f"{one.count:,}", why]
