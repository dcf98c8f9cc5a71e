"""Template variables of the view of generated programs: rows of the table of tallies, and a part per signature."""

from __future__ import annotations

import hashlib
from typing import Any

from conformance.programs.source.report import ProgramReport
from reports import text
from reports.html_data import issue_links
from reports.model import Matrix, MatrixCell, Tally
from reports.tallies import seeds_of


def signature_part(cell: MatrixCell) -> str:
    """The address of a signature below that of the view: engine and a digest, as signatures are long."""
    return f"{cell.engine}/{hashlib.sha256(cell.behaviour.encode()).hexdigest()[:8]}"


def programs_view(matrix: Matrix | None) -> dict[str, Any]:
    """The variables, signatures by engine; without a matrix, that there are none."""
    if matrix is None:
        return {"generated": None}
    order = [engine.column for engine in matrix.engines]
    cells = sorted(matrix.cells, key=lambda cell: (order.index(cell.engine), cell.known is not None))
    return {
        "generated": matrix,
        "campaigns": [tally_row(matrix, tally) for tally in matrix.tallies],
        "signatures": [_signature(cell) for cell in cells],
    }


def tally_row(matrix: Matrix, tally: Tally) -> list[str]:
    """Engine, kind, seeds, programs, judged, unsupported, then signatures: of known failures, and new ones."""
    cells = [cell for cell in matrix.cells if cell.engine == tally.engine and tally.kind in cell.counts]
    known = sum(cell.known is not None for cell in cells)
    counts = (tally.programs, tally.judged, tally.unsupported, known, len(cells) - known)
    return [tally.engine, tally.kind, seeds_of(tally.ranges), *(f"{count:,}" for count in counts)]


def _signature(cell: MatrixCell) -> dict[str, Any]:
    shown = cell.shown or ProgramReport()
    listing = text.clean(shown.listing)
    known, count = cell.known, sum(cell.counts.values())
    reasons = (known.title, known.kind_name, known.reason) if known else ()
    name = shown.name or (cell.program.name if cell.program else "")
    return {
        "cell": cell,
        "part": signature_part(cell),
        # What the search looks at; a message may be megabytes.
        "text": "\n".join([cell.engine, cell.behaviour, *cell.counts, cell.message[:500], *reasons, listing]),
        "shown": shown,
        "count": f"{count:,} program{'' if count == 1 else 's'}",
        "kinds": ", ".join(f"{kind} {count:,}" for kind, count in cell.counts.items()),
        "seed": name,
        "command": f"autograd-conformance program {name} --engine {cell.engine.partition('@')[0]}" if name else "",
        "issues": issue_links(known) if known else [],
    }
