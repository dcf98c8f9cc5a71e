"""Norms and distances."""

from __future__ import annotations

from conformance.operations.row import family, row

NORMS = family(
    "Norms",
    row("norm(x, order)", "p-norm of a vector."),
    row("matrix_norm(x)", "Frobenius norm of a matrix."),
    row("dist(x, y)", "2-norm of x - y."),
    row("cdist(x, y)", "2-norm distances of all rows of x from all rows of y."),
    row("pdist(x)", "2-norm distances of all pairs of rows."),
)
