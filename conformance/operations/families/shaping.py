"""Changing the shape of arrays, joining and splitting them."""

from __future__ import annotations

from conformance.operations.row import family, row

SHAPING = family(
    "Shaping",
    row("reshape(x, shape)", "The same elements in another shape."),
    row("transpose(x)", "Transpose of a matrix."),
    row("broadcast_to(x, shape)", "x broadcast to a shape."),
    row("stack(arrays)", "Arrays joined along a new first axis."),
    row("unstack(x)", "The tuple of arrays along the first axis."),
    row("concat(arrays)", "Arrays joined along the first axis."),
)
