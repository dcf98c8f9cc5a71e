"""Unexpected cells as annotations of a workflow."""

from __future__ import annotations

import msgspec

from reports.annotations import annotated
from tests.matrices import merge
from tests.reports.making import FAIL, VECTOR, result, results_file


def test_an_unexpected_cell_is_one_line_that_cannot_begin_another_command() -> None:
    """Its title names verdict, engine and behaviour."""
    # A further line would be a command to GitHub; a percent sign begins an escape.
    matrix = merge([results_file("torch", [result(VECTOR.id, FAIL, "got 1,\n::error::forged 100%")], [VECTOR])])
    (line,) = annotated(matrix)
    assert line.startswith(f"::error title=fail on torch%3A {VECTOR.id}::got 1,")
    assert "\n" not in line
    assert line.endswith("100%25")


def test_stale_entries_are_annotated_and_known_failures_are_not() -> None:
    """At most ten lines, as GitHub shows no more."""
    matrix = merge([results_file("torch", [result(VECTOR.id, FAIL, "no")], [VECTOR])])
    known = {"reason": "a reason", "upstream": "", "review_after": ""}
    cells = [msgspec.convert({**msgspec.to_builtins(cell), "known": known}, type(cell)) for cell in matrix.cells]
    engine = msgspec.structs.replace(matrix.engines[0], stale=[f"entry {number}" for number in range(12)])
    lines = list(annotated(msgspec.structs.replace(matrix, cells=cells, engines=[engine])))
    assert len(lines) == 10
    assert lines[0] == "::error title=stale known failure of torch::entry 0"
