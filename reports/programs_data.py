"""What the page has of campaigns of generated programs: rows of the table of campaigns, and a part per signature."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from conformance.programs.source.report import ShownProgram
from reports import text
from reports.program_pictures import picture_of
from reports.programs_model import CampaignRow, Programs, SignatureRow
from reports.programs_text import seeds_of

__all__ = ["programs_view", "signature_part"]


def signature_part(row: SignatureRow) -> str:
    """The address of a signature below that of the view: engine and a digest, as signatures are long."""
    return f"{row.engine}/{hashlib.sha256(row.signature.encode()).hexdigest()[:8]}"


def programs_view(found: Programs | None) -> dict[str, Any]:
    """What the template of the view is given; without campaigns, that there are none."""
    if found is None:
        return {"tried": None}
    return {
        "tried": found,
        "campaigns": [_campaign(row, found.signatures) for row in found.campaigns],
        "signatures": [_signature(row) for row in found.signatures],
    }


def _campaign(row: CampaignRow, signatures: Sequence[SignatureRow]) -> list[str]:
    its = [one for one in signatures if one.engine == row.engine and row.kind in one.counts]
    known = sum(one.known is not None for one in its)
    counts = (row.programs, row.judged, row.unsupported, known, len(its) - known)
    return [row.engine, row.kind, seeds_of(row.ranges), *(f"{count:,}" for count in counts)]


def _signature(row: SignatureRow) -> dict[str, Any]:
    shown = row.shown or ShownProgram()
    listing = text.clean(shown.listing)
    known = row.known
    told = (known.title, known.kind, known.reason) if known else ()
    name = shown.name or (f"{row.kind}:{row.seed}" if row.seed is not None else "")
    return {
        "row": row,
        "part": signature_part(row),
        "text": "\n".join([row.engine, row.signature, *row.counts, row.message[:500], *told, listing]),
        "shown": shown,
        "picture": Markup(picture_of(shown.graph, listing)),  # escaped where it is made
        "count": f"{row.count:,} program{'' if row.count == 1 else 's'}",
        "kinds": ", ".join(f"{kind} {count:,}" for kind, count in row.counts.items()),
        "seed": name,
        "command": f"autograd-conformance program {name} --engine {row.engine.partition('@')[0]}" if name else "",
        "issues": [link for one in (known.issues or [known.upstream]) if (link := text.link(one))] if known else [],
    }
