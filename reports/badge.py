"""A badge per engine, as the endpoint schema of shields.io. Counts, no score.

Blue: nothing unexpected. Orange: something unexpected, as the text has it too.
"""

from __future__ import annotations

import json
from collections import Counter

from reports import view
from reports.model import Matrix
from reports.unexpected import unexpected

_BLUE, _ORANGE = "#1f5fa8", "#a64b00"


def badges(matrix: Matrix) -> dict[str, str]:
    """The JSON of each badge, by column."""
    counts, problems = view.counts(matrix), Counter(cell.engine for cell in unexpected(matrix))
    badges = {}
    for engine in matrix.engines:
        count = counts[engine.column]
        # Every verdict that there is. No share of a whole: what is absent by design is no fault.
        names = [verdict.value for verdict in view.LEGEND]
        message = ", ".join(f"{count[name]:,} {name}" for name in names if count[name]) or "not run"
        if bad := problems[engine.column] + len(engine.stale):
            message += f" ({bad:,} unexpected)"
        fields = {"schemaVersion": 1, "label": "autograd conformance", "message": message}
        badges[engine.column] = json.dumps({**fields, "color": _ORANGE if bad else _BLUE}, indent=1, ensure_ascii=False)
    return badges
