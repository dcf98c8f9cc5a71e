"""Convolution and pooling."""

from __future__ import annotations

from conformance.operations.row import family, row

CONVOLUTION = family(
    "Convolution",
    row("lp_pool1d(x, norm, size)", "Norms of order `norm` over windows of `size` elements."),
)
