"""Making arrays."""

from __future__ import annotations

from conformance.operations.row import family, row

CREATION = family(
    "Creation",
    row("zeros(shape)", "Zeros, float64, outside any graph."),
    row("eye(n)", "Identity matrix, float64."),
    row("zeros_like(x)", "Zeros with the shape and dtype of x."),
    row("ones_like(x)", "Ones with the shape and dtype of x."),
    row("full_like(x, value)", "That value with the shape and dtype of x."),
    row("rand_like(x)", "Uniform random numbers in [0, 1) with the shape and dtype of x."),
)
