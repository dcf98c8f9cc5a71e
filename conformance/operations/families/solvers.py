"""Linear systems, by a matrix or by its factors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy

from conformance.operations.matrices import (
    DIAGONAL,
    IDENTITY,
    PERMUTED,
    dominant,
    invertible,
    lower,
    positive_definite,
    symmetric,
)
from conformance.operations.reasons import LINEAR
from conformance.operations.row import Argument, array, given, row


def _lower(ad: Any, x: Any) -> Any:
    return x * _triangle(ad, x, numpy.tril)


def _upper_part(ad: Any, x: Any) -> Any:
    return x * _triangle(ad, x, numpy.triu)


def _triangle(ad: Any, x: Any, kept: Any) -> Any:
    return ad.array(kept(numpy.ones(x.shape[-2:])).tolist(), ad.dtype_of(x))


def _upper() -> Argument:
    """An upper triangular matrix with a positive diagonal. A program of it drops what is below the diagonal first."""
    return replace(invertible(3), enters=_upper_part)


def _stack(size: int, enters: Callable[[Any, Any], Any] | None = None) -> Argument:
    """Two matrices that are invertible."""
    middle = numpy.diag(numpy.arange(2.0, 2.0 + size))
    return array(2, size, size, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape), enters=enters)


def _full_rank(rows: int, columns: int) -> Argument:
    """A matrix of full rank, far from lower rank."""
    middle = numpy.eye(rows, columns) * (2.0 + numpy.arange(columns))
    return array(rows, columns, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape))


def _invertible_tensor(*shape: int) -> Argument:
    """A tensor that is an invertible matrix once some axes are joined."""
    size = int(numpy.prod(shape) ** 0.5)
    return array(*shape, draw=lambda random, _: dominant(random, (size, size)).reshape(shape))


def _banded() -> Argument:
    """Rows: the diagonals above, at and below the main diagonal; no solution is near to being undetermined."""
    middle = numpy.array([[0.0], [3.0], [0.0]])
    return array(3, 3, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape))


# Of a system, with columns or rows of numbers to its right or left.
SYSTEM = {"identity": (IDENTITY, 1.0), "turn": (PERMUTED, 1.0), "zero": (DIAGONAL, 0.0)}
# Where a is symmetric, or triangular.
DIAGONAL_SYSTEM = {"identity": (IDENTITY, 1.0), "zero": (DIAGONAL, 0.0)}
BY_FACTOR = {"identity": (1.0, IDENTITY), "zero": (0.0, DIAGONAL)}
UNIT_TENSOR = numpy.eye(4)
SYSTEMS = (
    row(
        "solve(a, b)",
        "x with a x = b, for some columns b.",
        invertible(3),
        array(3, 2),
        smooth=SYSTEM,
        complex=True,
        degree=0,
    ),
    row(
        "solve_vector(a, b)",
        "x with a x = b, for a vector b.",
        invertible(3),
        array(3),
        complex=True,
        smooth=SYSTEM,
        degree=0,
    ),
    row(
        "solve_batch(a, b)",
        "x with a x = b, for a stack of b, and one a.",
        invertible(3),
        array(2, 3, 2),
        smooth=SYSTEM,
        degree=0,
    ),
    row(
        "solve_of_stack(a, b)",
        "x with a x = b, for one b, and a stack of a.",
        _stack(3),
        array(3, 2),
        smooth=SYSTEM,
        degree=0,
    ),
    row("solve_from_right(a, b)", "x with x a = b.", invertible(3), array(2, 3), complex=True, smooth=SYSTEM, degree=0),
    row(
        "solve_ex(a, b)",
        "The same as solve, with a number of the first zero pivot.",
        invertible(3),
        array(3, 2),
        smooth=SYSTEM,
        degree=0,
    ),
    row(
        "solve_symmetric(a, b)",
        "x with a x = b, for a symmetric a.",
        symmetric(3),
        array(3, 2),
        smooth=DIAGONAL_SYSTEM,
        degree=0,
    ),
    row(
        "solve_positive_definite(a, b)",
        "The same by Cholesky.",
        positive_definite(3),
        array(3, 2),
        smooth=DIAGONAL_SYSTEM,
    ),
    row(
        "solve_triangular(a, b, lower=False)",
        "x with a x = b, where only one triangle of a is looked at.",
        invertible(3),
        array(3, 2),
        options=[{}, {"lower": True}],
        smooth={"identity": (IDENTITY, 1.0), "zero": (DIAGONAL, 0.0)},
        complex=True,
        degree=0,
    ),
    row(
        "solve_triangular_of_stack(a, b)",
        "The same for one b, and a stack of a.",
        _stack(3, _upper_part),
        array(3, 2),
        smooth=DIAGONAL_SYSTEM,
        degree=0,
    ),
    row(
        "solve_unit_triangular(a, b, lower=False)",
        "The same with a diagonal of ones in the place of that of a.",
        invertible(3),
        array(3, 2),
        options=[{}, {"lower": True}],
        smooth=DIAGONAL_SYSTEM,
    ),
    row(
        "solve_triangular_transposed(a, b, trans, lower=False)",
        "x with aᵀ x = b for `trans` 1 or T, and aᴴ x = b for 2 or C; one triangle of a is looked at.",
        invertible(3),
        array(3, 2),
        options=[{"trans": 1}, {"trans": "T", "lower": True}, {"trans": 2}, {"trans": 0, "lower": True}],
        complex=True,
        smooth=DIAGONAL_SYSTEM,
        degree=0,
    ),
    row(
        "solve_triangular_from_right(a, b)",
        "x with x a = b, a upper triangular.",
        _upper(),
        array(2, 3),
        smooth=DIAGONAL_SYSTEM,
        degree=0,
    ),
    row(
        "triangular_solve(b, a, upper=True, transpose=False, unitriangular=False)",
        "x with a x = b, where only one triangle of a is looked at.",
        array(3, 2),
        invertible(3),
        options=[{}, {"upper": False}, {"transpose": True}, {"unitriangular": True}],
        smooth={"identity": (1.0, IDENTITY)},
        complex=True,
        degree=[0, 0, 0, None],
    ),
    row(
        "lstsq(a, b)",
        "Least-squares solution of a x = b, for more rows than columns.",
        _full_rank(4, 2),
        array(4, 2),
        smooth={"orthonormal columns": (numpy.eye(4, 2).tolist(), 1.0), "zero": (numpy.eye(4, 2).tolist(), 0.0)},
        degree=0,
    ),
    row("lstsq_of_square(a, b)", "The same for a square matrix.", invertible(3), array(3, 2), smooth=SYSTEM, degree=0),
    row(
        "lstsq_of_wide(a, b)",
        "Solution of a x = b of least norm.",
        _full_rank(2, 3),
        array(2, 2),
        smooth={"orthonormal rows": (numpy.eye(2, 3).tolist(), 1.0), "zero": (numpy.eye(2, 3).tolist(), 0.0)},
        degree=0,
    ),
    row(
        "tensorsolve(a, b)",
        "x with tensordot(a, x, x.ndim) = b.",
        _invertible_tensor(2, 2, 4),
        array(2, 2),
        smooth={
            "identity": (UNIT_TENSOR.reshape(2, 2, 4).tolist(), 1.0),
            "zero": (UNIT_TENSOR.reshape(2, 2, 4).tolist(), 0.0),
        },
        degree=0,
    ),
    row(
        "tridiagonal_solve(dl, d, du, b)",
        "Solution of a tridiagonal system; the first of dl and the last of du are not looked at.",
        array(3, low=-0.5, high=0.5),
        array(3, low=2),
        array(3, low=-0.5, high=0.5),
        array(3, 2),
        smooth={"diagonal": (0.0, 2.0, 0.0, 1.0), "zero": (0.5, 3.0, 0.5, 0.0)},
        degree=0,
    ),
    row(
        "solve_sylvester(a, b, q)",
        "x with a x + x b = q.",
        invertible(3),
        invertible(2),
        array(3, 2),
        smooth={"identity": (IDENTITY, numpy.eye(2).tolist(), 1.0)},
        degree=0,
    ),
    row(
        "solve_banded(ab, b)",
        "x of a tridiagonal system, whose diagonals are rows of ab.",
        _banded(),
        array(3),
        smooth={"diagonal": ([[0.0] * 3, [2.0] * 3, [0.0] * 3], 1.0), "zero": ([[0.5] * 3, [3.0] * 3, [0.5] * 3], 0.0)},
    ),
)
WITH_FACTORS = (
    row(
        "cholesky_solve(b, c)",
        "x with c cᵀ x = b, c lower triangular.",
        array(3, 2),
        lower(3),
        smooth=BY_FACTOR,
        degree=-1,
    ),
    row(
        "cholesky_solve_upper(b, c)",
        "x with cᵀ c x = b, c upper triangular.",
        array(3, 2),
        _upper(),
        smooth=BY_FACTOR,
        degree=-1,
    ),
    row(
        "cholesky_solve_of_stack(b, c)",
        "The same for one b, and a stack of c.",
        array(3, 2),
        _stack(3, _lower),
        smooth=BY_FACTOR,
        degree=-1,
    ),
    row(
        "cholesky_solve_of_cube(b, c)",
        "The same where each length is two.",
        array(2, 2),
        _stack(2, _lower),
        smooth={"identity": (1.0, numpy.eye(2).tolist()), "zero": (0.0, numpy.eye(2).tolist())},
        degree=-1,
    ),
    row(
        "cholesky_inverse(c)",
        "Inverse of c cᵀ, c lower triangular.",
        lower(3),
        smooth={"diagonal": DIAGONAL},
        degree=-2,
    ),
    row(
        "cholesky_inverse_upper(c)",
        "Inverse of cᵀ c, c upper triangular.",
        _upper(),
        smooth={"diagonal": DIAGONAL},
        degree=-2,
    ),
    row(
        "lu_solve(lu, pivots, b)",
        "x with a x = b, of L and U in one matrix and row exchanges (counted from 0).",
        invertible(3),
        given([1, 2, 2]),
        array(3, 2),
        complex=True,
        smooth=DIAGONAL_SYSTEM,
    ),
    row(
        "lu_solve_transposed(lu, pivots, b)",
        "x with aᵀ x = b, of L and U in one matrix and row exchanges (counted from 0).",
        invertible(3),
        given([1, 2, 2]),
        array(3, 2),
        smooth=DIAGONAL_SYSTEM,
    ),
    row(
        "ldl_solve(ld, pivots, b)",
        "x with a x = b, of L and D in one matrix.",
        given(DIAGONAL),
        given([1, 2, 3]),
        array(3, 2),
        ordinary=LINEAR,
    ),
    row(
        "householder_product(v, tau)",
        "The first columns of a product of reflections I - tau v vᵀ; v below its diagonal, which counts as 1.",
        array(4, 3, low=-1, high=1),
        array(3, low=0, high=2),
        smooth={"zero": (0.0, 2.0), "no reflection": (0.5, 0.0)},
        complex=True,
    ),
    row(
        "ormqr(v, tau, c, left=True, transpose=False)",
        "Product of those reflections and c, or their transpose and c; c before them for left=False.",
        array(3, 2, low=-1, high=1),
        array(2, low=0, high=2),
        array(3, 3),
        options=[{}, {"transpose": True}, {"left": False}, {"left": False, "transpose": True}],
        smooth={"zero": (0.0, 2.0, 1.0), "no reflection": (0.5, 0.0, 1.0)},
    ),
)
