"""Decompositions and functions of square matrices."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.matrices import invertible, lower, positive_definite, symmetric
from conformance.operations.row import array, row

IDENTITY = numpy.eye(3).tolist()
DIAGONAL = numpy.diag([2.0, 3.0, 5.0]).tolist()
# Three times a diagonal element, and twice.
REPEATED, TWICE = numpy.diag([2.0, 2.0, 2.0]).tolist(), numpy.diag([2.0, 2.0, 5.0]).tolist()
PERMUTED = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
NILPOTENT = [[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
# Elimination by powers of two is exact: the last pivot is zero on every machine, and not what rounding leaves of it.
RANK_TWO = [[1.0, 0.25, 0.5], [2.0, 0.5, 1.0], [0.5, 0.0, 0.25]]
RANK_ONE = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]]
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


def _triangles(ad: Any, permutation: Any, left: Any, right: Any) -> tuple[Any, ...]:
    """Without the permutation, which is constant."""
    return left, right


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
    ),
    row(
        "slogdet(x)",
        "A pair: sign of the determinant, and logarithm of its absolute value.",
        invertible(3),
        smooth={"identity": IDENTITY, "negative determinant": numpy.diag([-2.0, 3.0, 5.0]).tolist(), "turn": PERMUTED},
        complex=True,
    ),
    row("logdet(x)", "Logarithm of a positive determinant.", invertible(3), smooth={"identity": IDENTITY}),
)
SPECTRA = (
    row(
        "eig(x)",
        "A pair: eigenvalues and eigenvectors (columns) of a square matrix, complex.",
        invertible(3),
        observed=_eigenspaces,
        complex=True,
    ),
    row(
        "eigvals(x)",
        "Eigenvalues of a square matrix, complex.",
        invertible(3),
        smooth={"diagonal": DIAGONAL, "repeated": REPEATED},
        observed=_power_sums,
        complex=True,
    ),
    row(
        "eigh(x, UPLO='L')",
        "A pair: eigenvalues (ascending) and eigenvectors (columns) of a Hermitian matrix.",
        symmetric(3),
        options=[{}, {"UPLO": "U"}],
        smooth={"diagonal": DIAGONAL},
        observed=_symmetric_eigenspaces,
    ),
    row(
        "eigvalsh(x, UPLO='L')",
        "Eigenvalues of a Hermitian matrix, ascending.",
        symmetric(3),
        options=[{}, {"UPLO": "U"}],
        smooth={"diagonal": DIAGONAL, "repeated": REPEATED, "two repeated": TWICE, "zero": 0.0},
        observed=_power_sums,
    ),
    row(
        "eigh_tridiagonal(d, e)",
        "Eigenvalues of a symmetric matrix with diagonal d and off-diagonal e.",
        array(3, low=1),
        array(2, low=0.2, high=0.6),
        observed=_power_sums,
    ),
    row(
        "svd(x)",
        "Full decomposition U, S, Vh: singular vectors are columns of U and rows of Vh.",
        invertible(3),
        smooth={"diagonal": DIAGONAL},
        observed=_singular_spaces,
        complex=True,
    ),
    row(
        "svd_of_tall(x)",
        "The thin decomposition U, S, Vh of a matrix of more rows than columns.",
        array(4, 3, draw=lambda random, _: numpy.eye(4, 3) * [2.0, 3.0, 4.0] + random.uniform(-0.5, 0.5, (4, 3))),
        observed=_singular_spaces,
        complex=True,
    ),
    row(
        "svd_of_wide(x)",
        "The thin decomposition U, S, Vh of a matrix of more columns than rows.",
        array(2, 3, draw=lambda random, _: numpy.eye(2, 3) * [2.0, 4.0, 1.0] + random.uniform(-0.5, 0.5, (2, 3))),
        observed=_singular_spaces,
        complex=True,
    ),
    row(
        "svdvals(x)",
        "Singular values, descending.",
        invertible(3),
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL, "two repeated": TWICE, "turn": PERMUTED},
        observed=lambda ad, values: (ad.np.sum(values * values), ad.np.sum(values * values * values * values)),
        complex=True,
    ),
    row("schur(x)", "A pair T, Z with x = Z T Zᵀ, T upper triangular.", invertible(3), observed=_real_schur_spaces),
)
DECOMPOSITIONS = (
    row(
        "cholesky(x)",
        "Lower triangular L with x = L Lᵀ, of a positive definite matrix.",
        positive_definite(3),
        smooth={"zero (of the identity)": 0.0, "diagonal": DIAGONAL},
    ),
    row("cholesky_upper(x)", "Upper triangular R with x = Rᵀ R.", positive_definite(3), smooth={"diagonal": DIAGONAL}),
    row("cholesky_ex(x)", "The same as cholesky, with a number of the first failing minor.", positive_definite(3)),
    row(
        "cholesky_update(x, w)",
        "Upper triangular factor of xᵀ x + w wᵀ, of an upper triangular x.",
        array(3, 3, draw=lower(3).draw, enters=lambda ad, x: ad.np.transpose(_lower(ad, x))),
        array(3),
    ),
    row(
        "cho_factor(x)",
        "The lower triangle of a Cholesky factor.",
        positive_definite(3),
        observed=lambda ad, c: _lower(ad, c),
    ),
    row(
        "qr(x, mode)",
        "A pair Q, R; `mode` is reduced, complete, or r for R alone.",
        invertible(3),
        options=[{"mode": "reduced"}, {"mode": "complete"}],
        smooth={"diagonal": DIAGONAL, "turn": PERMUTED},
        complex=True,
    ),
    row("qr_of_tall(x)", "Reduced Q, R of a matrix of more rows than columns.", array(4, 3), complex=True),
    row("qr_of_wide(x)", "Reduced Q, R of a matrix of more columns than rows.", array(2, 3), complex=True),
    row(
        "lu(x)",
        "P, L, U with x = P L U, P a permutation.",
        invertible(3),
        smooth={"diagonal": DIAGONAL},
        observed=_triangles,
        complex=True,
    ),
    row(
        "lu_of_tall(x)",
        "P, L, U of a matrix of more rows than columns.",
        array(4, 3),
        observed=_triangles,
        complex=True,
    ),
    row(
        "lu_of_wide(x)",
        "P, L, U of a matrix of more columns than rows.",
        array(2, 3),
        observed=_triangles,
        complex=True,
    ),
    row("lu_factor(x)", "L and U in one matrix, and pivots.", invertible(3), smooth={"turn": PERMUTED}, complex=True),
    row("lu_factor_ex(x)", "The same as lu_factor, with a number of the first zero pivot.", invertible(3)),
    row("ldl_factor(x)", "L and D of a symmetric x = L D Lᵀ in one matrix, and pivots.", symmetric(3)),
    row(
        "polar_decomposition(x, side='right')",
        "Orthogonal U and positive definite P with x = U P, or x = P U for side left.",
        invertible(3),
        options=[{}, {"side": "left"}],
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL},
    ),
    row("tridiagonal(x)", "Diagonal and off-diagonal of a similar tridiagonal matrix.", symmetric(3)),
)
MATRIX_FUNCTIONS = (
    row(
        "expm(x)",
        "Matrix exponential.",
        array(3, 3, draw=lambda random, shape: random.uniform(-1.0, 1.0, shape)),
        smooth={
            "zero": 0.0,
            "identity": IDENTITY,
            "diagonal": DIAGONAL,
            "nilpotent": NILPOTENT,
            "large": numpy.diag([9.0, -9.0, 1.0]).tolist(),
            "antisymmetric": [[0.0, 1.0, 2.0], [-1.0, 0.0, 3.0], [-2.0, -3.0, 0.0]],
        },
        complex=True,
    ),
    row("expm_frechet(x, y)", "Derivative of the matrix exponential at x along y.", invertible(3), array(3, 3)),
    row(
        "sqrtm(x)",
        "Principal square root of a matrix.",
        invertible(3),
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL},
        complex=True,
    ),
    row("logm(x)", "Principal logarithm of a matrix.", invertible(3), smooth={"identity": IDENTITY}),
    row(
        "matrix_power(x, n)",
        "Power of a square matrix with an integer exponent.",
        invertible(3),
        options=[{"n": 3}, {"n": 2}, {"n": 1}, {"n": 0}, {"n": -1}, {"n": -2}],
        smooth={"zero": 0.0, "identity": IDENTITY, "rank n - 1": RANK_TWO, "nilpotent": NILPOTENT},
        complex=True,
    ),
    row(
        "cond(x, p=None)",
        "Condition number: norm of x times norm of its inverse; by default of the 2-norm.",
        invertible(3),
        options=[{}, {"p": -2}],
        smooth={"diagonal": DIAGONAL},
    ),
    row(
        "cond_of_norm(x, p)",
        "The same for a norm that is not made of singular values.",
        invertible(3),
        options=[{"p": "fro"}, {"p": 1}],
    ),
)


def _lower(ad: Any, x: Any) -> Any:
    return x * ad.array(numpy.tril(numpy.ones((3, 3))).tolist(), ad.dtype_of(x))
