"""Decompositions and functions of square matrices."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families.matrices import (
    DIAGONAL,
    IDENTITY,
    PERMUTED,
    RANK_TWO,
    invertible,
    lower,
    positive_definite,
    symmetric,
)
from conformance.operations.row import array, row

NILPOTENT = [[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
TALL, WIDE = numpy.eye(4, 3).tolist(), numpy.eye(2, 3).tolist()
# Positive definite once x xᵀ + I is formed: the identity, a diagonal, and twice the identity.
OF_CHOLESKY = {"zero (of the identity)": 0.0, "diagonal": DIAGONAL, "turn": PERMUTED}


def _triangles(ad: Any, permutation: Any, left: Any, right: Any) -> tuple[Any, ...]:
    """Without the permutation, which is constant."""
    return left, right


DECOMPOSITIONS = (
    row(
        "cholesky(x)",
        "Lower triangular L with x = L Lᵀ, of a positive definite matrix.",
        positive_definite(3),
        smooth=OF_CHOLESKY,
    ),
    row("cholesky_upper(x)", "Upper triangular R with x = Rᵀ R.", positive_definite(3), smooth={"diagonal": DIAGONAL}),
    row(
        "cholesky_ex(x)",
        "The same as cholesky, with a number of the first failing minor.",
        positive_definite(3),
        smooth=OF_CHOLESKY,
    ),
    row(
        "cholesky_update(x, w)",
        "Upper triangular factor of xᵀ x + w wᵀ, of an upper triangular x.",
        array(3, 3, draw=lower(3).draw, enters=lambda ad, x: ad.np.transpose(_lower(ad, x))),
        array(3),
        smooth={"zero update": (DIAGONAL, 0.0), "update along an axis": (IDENTITY, [0.0, 1.0, 0.0])},
        degree=1,
    ),
    row(
        "cho_factor(x)",
        "The lower triangle of a Cholesky factor.",
        positive_definite(3),
        smooth=OF_CHOLESKY,
        observed=lambda ad, c: _lower(ad, c),
    ),
    row(
        "qr(x, mode)",
        "A pair Q, R; `mode` is reduced, complete, or r for R alone.",
        invertible(3),
        options=[{"mode": "reduced"}, {"mode": "complete"}],
        smooth={"diagonal": DIAGONAL, "turn": PERMUTED},
        complex=True,
        degree=(0, 1),
    ),
    row(
        "qr_of_tall(x)",
        "Reduced Q, R of a matrix of more rows than columns.",
        array(4, 3),
        smooth={
            "orthonormal columns": TALL,
            "row of zeros": [[2.0, 1.0, 0.5], [0.0, 3.0, 1.0], [1.0, 0.0, 2.0], [0.0] * 3],
        },
        complex=True,
        degree=(0, 1),
    ),
    row(
        "qr_of_wide(x)",
        "Reduced Q, R of a matrix of more columns than rows.",
        array(2, 3),
        smooth={"orthonormal rows": WIDE},
        complex=True,
        degree=(0, 1),
    ),
    row(
        "lu(x)",
        "P, L, U with x = P L U, P a permutation.",
        invertible(3),
        smooth={"diagonal": DIAGONAL},
        observed=_triangles,
        complex=True,
        degree=(0, 1),
    ),
    row(
        "lu_of_tall(x)",
        "P, L, U of a matrix of more rows than columns.",
        array(4, 3),
        smooth={"orthonormal columns": TALL},
        observed=_triangles,
        complex=True,
        degree=(0, 1),
    ),
    row(
        "lu_of_wide(x)",
        "P, L, U of a matrix of more columns than rows.",
        array(2, 3),
        smooth={"orthonormal rows": WIDE},
        observed=_triangles,
        complex=True,
        degree=(0, 1),
    ),
    row("lu_factor(x)", "L and U in one matrix, and pivots.", invertible(3), smooth={"turn": PERMUTED}, complex=True),
    row(
        "lu_factor_ex(x)",
        "The same as lu_factor, with a number of the first zero pivot.",
        invertible(3),
        smooth={"diagonal": DIAGONAL, "turn": PERMUTED},
    ),
    row(
        "ldl_factor(x)",
        "L and D of a symmetric x = L D Lᵀ in one matrix, and pivots.",
        symmetric(3),
        smooth={"diagonal": DIAGONAL},
    ),
    row(
        "polar_decomposition(x, side='right')",
        "Orthogonal U and positive definite P with x = U P, or x = P U for side left.",
        invertible(3),
        options=[{}, {"side": "left"}],
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL},
        degree=(0, 1),
    ),
    row(
        "tridiagonal(x)",
        "Diagonal and off-diagonal of a similar tridiagonal matrix.",
        symmetric(3),
        smooth={"tridiagonal": [[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 4.0]]},
        degree=1,
    ),
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
    row(
        "expm_frechet(x, y)",
        "Derivative of the matrix exponential at x along y.",
        invertible(3),
        array(3, 3),
        smooth={"zero": (0.0, 1.0), "along zero": (IDENTITY, 0.0), "nilpotent": (NILPOTENT, IDENTITY)},
    ),
    row(
        "sqrtm(x)",
        "Principal square root of a matrix.",
        invertible(3),
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL},
        complex=True,
        degree=0.5,
    ),
    row("logm(x)", "Principal logarithm of a matrix.", invertible(3), smooth={"identity": IDENTITY}),
    row(
        "matrix_power(x, n)",
        "Power of a square matrix with an integer exponent.",
        invertible(3),
        options=[{"n": 3}, {"n": 2}, {"n": 1}, {"n": 0}, {"n": -1}, {"n": -2}],
        smooth={"zero": 0.0, "identity": IDENTITY, "rank n - 1": RANK_TWO, "nilpotent": NILPOTENT},
        complex=True,
        degree=[3, 2, 1, 0, -1, -2],
    ),
    row(
        "cond(x, p=None)",
        "Condition number: norm of x times norm of its inverse; by default of the 2-norm.",
        invertible(3),
        options=[{}, {"p": -2}],
        smooth={"diagonal": DIAGONAL},
        degree=0,
    ),
    row(
        "cond_of_norm(x, p)",
        "The same for a norm that is not made of singular values.",
        invertible(3),
        options=[{"p": "fro"}, {"p": 1}],
        smooth={"identity": IDENTITY, "diagonal": DIAGONAL},
        degree=0,
    ),
)


def _lower(ad: Any, x: Any) -> Any:
    return x * ad.array(numpy.tril(numpy.ones((3, 3))).tolist(), ad.dtype_of(x))
