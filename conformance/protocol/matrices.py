"""Matrices as products of simpler ones, and determinants by their logarithm."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Matrices"]

Array = Any


class Matrices(Protocol):
    """Decompositions of a matrix. Vectors are columns, but those of `svd` on the right, which are rows."""

    def eig(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of a square matrix, complex."""

    def eigh(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues, in rising order, and eigenvectors of a Hermitian matrix."""

    def svd(self, x: Array) -> tuple[Array, Array, Array]:
        """Left singular vectors, a full basis of them, singular values, and right singular vectors, a full basis."""

    def svdvals(self, x: Array) -> Array:
        """The singular values of a matrix, in falling order."""

    def qr(self, x: Array, mode: str) -> Any:
        """The orthogonal and the upper triangular factor; `mode` is reduced, complete, or r, for the second alone."""

    def slogdet(self, x: Array) -> tuple[Array, Array]:
        """The sign of the determinant, and the logarithm of its absolute value."""
