"""Taking elements by index, and writing them."""

from __future__ import annotations

from conformance.operations.row import family, row

INDEXING = family(
    "Indexing",
    row("take(x, indices)", "Elements at these indices."),
    row(
        "embedding(indices, table, padding_idx=None, scale_grad_by_freq=False)",
        "Rows of a table. Row `padding_idx` gets no gradient; `scale_grad_by_freq` divides its gradient by its count.",
    ),
)
