"""A sweep over operations as CSV, a row per cell."""

from __future__ import annotations

import csv
import io

from reports.operations_model import Operations
from reports.table import inert
from reports.text import excerpt

__all__ = ["HEAD", "render"]

HEAD = ("operation", "law", "engine", "verdict", "known", "witness")


def render(found: Operations) -> str:
    """All cells, in their order. `witness` is its first line, `known` the reason."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for one in found.cells:
        reason = excerpt(one.known.reason) if one.known else ""
        told = (one.operation, one.law, one.engine, one.verdict.value, reason, excerpt(one.witness))
        writer.writerow(map(inert, told))
    return stream.getvalue()
