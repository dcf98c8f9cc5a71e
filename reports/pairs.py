"""Corresponding rows and columns of two matrices.

Columns are paired by name; those left over by spec and version, then by spec alone, where there is but one on both
sides; and a single column with a single column, also under different names. Rows are paired by id, or by an id that a
row had earlier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reports.model import Matrix, MatrixBehaviour, MatrixEngine

Columns = list[tuple[MatrixEngine, MatrixEngine]]
Rows = list[tuple[MatrixBehaviour | None, MatrixBehaviour | None]]


def columns(earlier: Matrix, later: Matrix) -> Columns:
    """The corresponding engines of both sides, in the later order."""
    before, after = earlier.engines, later.engines
    # Two files of a single engine each: the user wants these two compared, also torch with jax.
    if len(before) == len(after) == 1:
        return [(before[0], after[0])]
    pairs: dict[str, MatrixEngine] = {}
    # An engine is paired by the first of its names that is unique on both sides.
    for strictness in range(3):
        taken = {old.column for old in pairs.values()}
        left = _unique([old for old in before if old.column not in taken], strictness)
        for name, new in _unique([new for new in after if new.column not in pairs], strictness).items():
            if name in left:
                pairs[new.column] = left[name]
    return [(pairs[new.column], new) for new in after if new.column in pairs]


def _unique(engines: Sequence[MatrixEngine], strictness: int) -> dict[str, MatrixEngine]:
    """The engines by their names of this strictness, without those that share theirs."""
    times = Counter(engine.names[strictness] for engine in engines)
    return {name: engine for engine in engines if times[name := engine.names[strictness]] == 1}


def rows(before: Matrix, after: Matrix) -> Rows:
    """The corresponding rows of both sides; those of a single side are paired with None, the later ones first."""
    left = {row.id: row for row in before.behaviours}
    # By the same id first, so that no earlier id of a row takes another row's partner.
    same = {row.id: left.pop(row.id) for row in after.behaviours if row.id in left}
    pairs: Rows = []
    for row in after.behaviours:
        earlier = same.get(row.id) or next((left.pop(id) for id in _was(row) if id in left), None)
        pairs.append((earlier, row))
    return [*pairs, *((row, None) for row in left.values())]


def _was(row: MatrixBehaviour) -> list[str]:
    """Earlier ids of a row: a behaviour is renamed with all its cases."""
    _, bracket, case = row.id.partition("[")
    return [id if "[" in id else id + bracket + case for id in row.was]
