"""Linear systems by the factors of their matrix."""

from __future__ import annotations

import numpy

from conformance.operations.families.matrices import (
    DIAGONAL,
    invertible,
    lower,
)
from conformance.operations.families.system_arguments import (
    BY_FACTOR,
    DIAGONAL_SYSTEM,
    lower_part,
    stack,
    upper,
)
from conformance.operations.reasons import LINEAR
from conformance.operations.row import array, given, row

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
        upper(),
        smooth=BY_FACTOR,
        degree=-1,
    ),
    row(
        "cholesky_solve_of_stack(b, c)",
        "The same for one b, and a stack of c.",
        array(3, 2),
        stack(3, lower_part),
        smooth=BY_FACTOR,
        degree=-1,
    ),
    row(
        "cholesky_solve_of_cube(b, c)",
        "The same where each length is two.",
        array(2, 2),
        stack(2, lower_part),
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
        upper(),
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
