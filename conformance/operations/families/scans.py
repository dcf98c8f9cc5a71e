"""Cumulative operations along an axis."""

from __future__ import annotations

from conformance.operations.row import family, row

SCANS = family(
    "Scans",
    row("cumsum(x)", "Cumulative sum along the first axis."),
    row("cumprod(x)", "Cumulative product along the first axis."),
)
