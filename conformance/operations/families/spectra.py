"""Determinants, eigenvalues and singular values."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families.matrices import DIAGONAL, IDENTITY, PERMUTED, RANK_TWO, invertible, symmetric
from conformance.operations.row import array, row

# Three times a diagonal element, and twice.
REPEATED, TWICE = numpy.diag([2.0, 2.0, 2.0]).tolist(), numpy.diag([2.0, 2.0, 5.0]).tolist()
RANK_ONE = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]]
TRIANGULAR = [[1.0, 2.0, -1.0], [0.0, 3.0, 0.5], [0.0, 0.0, 6.0]]
# The determinant of 10^600 is no double, and its logarithm is 1382.
HUGE = numpy.diag([1e200, 1e200, 1e200]).tolist()
WEIGHTS = [1.0, 2.0, 4.0]


def _power_sums(ad: Any, values: Any) -> tuple[Any, ...]:
    """Functions of the values that do not depend on their order, and are smooth where some are equal."""
    return tuple(ad.np.sum(one) for one in (values, values * values, values * values * values))


def _eigenspaces(ad: Any, values: Any, vectors: Any) -> tuple[Any, ...]:
    """Of eigenvectors that are determined up to a factor of modulus 1, in any order."""
    conjugate = ad.np.conj(ad.np.transpose(vectors))
    return *_power_sums(ad, values), ad.np.matmul(vectors, conjugate), ad.np.matmul(vectors * values, conjugate)


def _symmetric_eigenspaces(ad: Any, values: Any, vectors: Any) -> tuple[Any, ...]:
    """Of eigenvectors in ascending order that are determined up to sign."""
    return values, ad.np.matmul(vectors * _weights(ad, vectors), ad.np.transpose(vectors))


def _singular_spaces(ad: Any, left: Any, values: Any, right: Any) -> tuple[Any, ...]:
    """Of pairs of singular vectors, each determined up to a common factor."""
    return values, ad.np.matmul(left * _weights(ad, left), right)


def _weights(ad: Any, vectors: Any) -> Any:
    """A number for each column."""
    return ad.array(WEIGHTS[: vectors.shape[-1]], ad.dtype_of(vectors))


def _real_schur_spaces(ad: Any, upper: Any, vectors: Any) -> tuple[Any, ...]:
    return ad.np.trace(upper), ad.np.matmul(vectors * _weights(ad, vectors), ad.np.transpose(vectors))


DETERMINANTS = (
    row(
        "det(x)",
        "Determinant.",
        invertible(3),
        smooth={
            "identity": IDENTITY,
            "diagonal": DIAGONAL,
            "negative determinant": numpy.diag([-2.0, 3.0, 5.0]).tolist(),
            "permutation": PERMUTED,
            "rank n - 1": RANK_TWO,
            "row of zeros": numpy.diag([0.0, 3.0, 5.0]).tolist(),
            "rank n - 2": RANK_ONE,
            "zero": 0.0,
        },
        complex=True,
        degree=3,
    ),
    row(
        "slogdet(x)",
        "A pair: sign of the determinant, and logarithm of its absolute value.",
        invertible(3),
        smooth={
            "identity": IDENTITY,
            "negative determinant": numpy.diag([-2.0, 3.0, 5.0]).tolist(),
            "turn": PERMUTED,
            "determinant overflows": HUGE,
        },
        complex=True,
    ),
    row(
        "logdet(x)",
        "Logarithm of a positive determinant.",
        invertible(3),
        smooth={"identity": IDENTITY, "turn": PERMUTED, "determinant overflows": HUGE},
    ),
)
SPECTRA = (
    row(
        "eig(x)",
        "A pair: eigenvalues and eigenvectors (columns) of a square matrix, complex.",
        invertible(3),
        smooth={"diagonal": DIAGONAL, "triangular": TRIANGULAR},
        observed=_eigenspaces,
        complex=True,
        degree=(1, 2, 3, 0, 1),
    ),
    row(
        "eigvals(x)",
        "Eigenvalues of a square matrix, complex.",
        invertible(3),
        smooth={"diagonal": DIAGONAL, "repeated": REPEATED},
        observed=_power_sums,
        complex=True,
        degree=(1, 2, 3),
    ),
    row(
        "eigh(x, UPLO='L')",
        "A pair: eigenvalues (ascending) and eigenvectors (columns) of a Hermitian matrix.",
        symmetric(3),
        options=[{}, {"UPLO": "U"}],
        smooth={"diagonal": DIAGONAL, "zero eigenvalue": numpy.diag([0.0, 1.0, 3.0]).tolist()},
        observed=_symmetric_eigenspaces,
        degree=(1, 0),
    ),
    row(
        "eigvalsh(x, UPLO='L')",
        "Eigenvalues of a Hermitian matrix, ascending.",
        symmetric(3),
        options=[{}, {"UPLO": "U"}],
        smooth={"diagonal": DIAGONAL, "repeated": REPEATED, "two repeated": TWICE, "zero": 0.0},
        observed=_power_sums,
        degree=(1, 2, 3),
    ),
    row(
        "eigh_tridiagonal(d, e)",
        "Eigenvalues of a symmetric matrix with diagonal d and off-diagonal e.",
        array(3, low=1),
        array(2, low=0.2, high=0.6),
        smooth={"equal diagonal": (2.0, 0.5)},
        observed=_power_sums,
        degree=(1, 2, 3),
    ),
    row(
        "svd(x)",
        "Full decomposition U, S, Vh: singular vectors are columns of U and rows of Vh.",
        invertible(3),
        smooth={"diagonal": DIAGONAL},
        observed=_singular_spaces,
        complex=True,
        degree=(1, 0),
    ),
    row(
        "svd_of_tall(x)",
        "The thin decomposition U, S, Vh of a matrix of more rows than columns.",
        array(4, 3, draw=lambda random, _: numpy.eye(4, 3) * [2.0, 3.0, 4.0] + random.uniform(-0.5, 0.5, (4, 3))),
        smooth={"diagonal": (numpy.eye(4, 3) * [2.0, 3.0, 5.0]).tolist()},
        observed=_singular_spaces,
        complex=True,
        degree=(1, 0),
    ),
    row(
        "svd_of_wide(x)",
        "The thin decomposition U, S, Vh of a matrix of more columns than rows.",
        array(2, 3, draw=lambda random, _: numpy.eye(2, 3) * [2.0, 4.0, 1.0] + random.uniform(-0.5, 0.5, (2, 3))),
        smooth={"diagonal": [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0]]},
        observed=_singular_spaces,
        complex=True,
        degree=(1, 0),
    ),
    row(
        "svdvals(x)",
        "Singular values, descending.",
        invertible(3),
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL, "two repeated": TWICE, "turn": PERMUTED},
        observed=lambda ad, values: (ad.np.sum(values * values), ad.np.sum(values * values * values * values)),
        complex=True,
        degree=(2, 4),
    ),
    row(
        "schur(x)",
        "A pair T, Z with x = Z T Zᵀ, T upper triangular.",
        invertible(3),
        smooth={"triangular": TRIANGULAR},
        observed=_real_schur_spaces,
        degree=(1, 0),
    ),
)
