"""Decompositions, solvers, determinants and inverses."""

from __future__ import annotations

from conformance.operations.row import family, row

LINEAR_ALGEBRA = family(
    "Linear algebra",
    row("det(x)", "Determinant."),
    row("slogdet(x)", "A pair: sign of the determinant, and logarithm of its absolute value."),
    row("eig(x)", "A pair: eigenvalues and eigenvectors (columns) of a square matrix, complex."),
    row("eigh(x)", "A pair: eigenvalues (ascending) and eigenvectors (columns) of a Hermitian matrix."),
    row("eigvalsh(x)", "Eigenvalues of a Hermitian matrix, ascending."),
    row("svd(x)", "Full decomposition U, S, Vh: singular vectors are columns of U and rows of Vh."),
    row("svdvals(x)", "Singular values, descending."),
    row("qr(x, mode)", "A pair Q, R; `mode` is reduced, complete, or r for R alone."),
)
