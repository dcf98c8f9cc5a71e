"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from conformance.operations.row import family, row

PRODUCTS = family(
    "Products",
    row("matmul(x, y)", "Matrix product."),
    row("outer(x, y)", "Outer product of two vectors."),
)
