"""A badge per engine, as the endpoint schema of shields.io. Counts, no score.

Blue: nothing unexpected. Orange: something unexpected, as the text has it too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from reports import view
from reports.model import Matrix, MatrixEngine
from reports.unexpected import unexpected

LABEL = "autograd conformance"
_BLUE, _ORANGE = "#1f5fa8", "#a64b00"


@dataclass(frozen=True)
class Badge:
    """The few words of a badge, and their colour."""

    message: str
    colour: str


def badges(matrix: Matrix) -> dict[str, Badge]:
    """The badges of all engines, by column."""
    counts = Counter(cell.engine for cell in unexpected(matrix))
    return {engine.column: _badge(matrix, engine, counts[engine.column]) for engine in matrix.engines}


def endpoint(badge: Badge) -> str:
    """The JSON that shields.io expects of an endpoint."""
    fields = {"schemaVersion": 1, "label": LABEL, "message": badge.message, "color": badge.colour}
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def _badge(matrix: Matrix, engine: MatrixEngine, unexpected: int) -> Badge:
    counts = view.counts(matrix, engine)
    unexpected += len(engine.stale)
    return Badge(_message(counts, unexpected), _ORANGE if unexpected else _BLUE)


def _message(counts: Mapping[str, int], unexpected: int) -> str:
    """Every verdict that there is, counted. No share of a whole: what is absent by design is no fault."""
    names = [verdict.value for verdict in view.LEGEND]
    counted = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in names if counts[verdict])
    return (counted or "not run") + (f" ({unexpected:,} unexpected)" if unexpected else "")
