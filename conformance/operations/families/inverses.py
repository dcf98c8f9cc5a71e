"""Inverses, and matrices made of vectors."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.families.matrices import DIAGONAL, IDENTITY, PERMUTED, dominant, invertible, symmetric
from conformance.operations.reasons import LINEAR
from conformance.operations.row import Argument, array, row


def _full_rank(rows: int, columns: int) -> Argument:
    """A matrix of full rank, far from lower rank."""
    middle = numpy.eye(rows, columns) * (2.0 + numpy.arange(columns))
    return array(rows, columns, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape))


def _invertible_tensor(*shape: int) -> Argument:
    """A tensor that is an invertible matrix once some axes are joined."""
    size = int(numpy.prod(shape) ** 0.5)
    return array(*shape, draw=lambda random, _: dominant(random, (size, size)).reshape(shape))


def _of_rank_two(ad: Any, x: Any) -> Any:
    """A square matrix of rank two, made of any x of two columns."""
    return ad.np.matmul(x, ad.np.transpose(x) + 1.0)


UNIT_TENSOR = numpy.eye(4)
SPECIAL = {"identity": IDENTITY, "diagonal": DIAGONAL, "permutation": PERMUTED}
INVERSES = (
    row("inv(x)", "Inverse of a matrix.", invertible(3), smooth=SPECIAL, complex=True, degree=-1),
    row(
        "inv_ex(x)", "The same as inv, with a number of the first zero pivot.", invertible(3), smooth=SPECIAL, degree=-1
    ),
    row("pinv(x)", "Pseudo-inverse.", invertible(3), smooth=SPECIAL, complex=True, degree=-1),
    row(
        "pinv_of_tall(x)",
        "Pseudo-inverse of a matrix of full column rank.",
        _full_rank(4, 3),
        smooth={"orthonormal columns": numpy.eye(4, 3).tolist()},
        complex=True,
        degree=-1,
    ),
    row(
        "pinv_of_wide(x)",
        "Pseudo-inverse of a matrix of full row rank.",
        _full_rank(2, 3),
        smooth={"orthonormal rows": numpy.eye(2, 3).tolist()},
        complex=True,
        degree=-1,
    ),
    row(
        "pinv_of_rank(x)",
        "Pseudo-inverse of a square matrix of constant, lower rank; singular values below 1e-4 count as zero.",
        array(3, 2, draw=_full_rank(3, 2).draw, enters=_of_rank_two),
        smooth={"orthonormal columns": numpy.eye(3, 2).tolist()},
    ),
    row(
        "pinv_hermitian(x)",
        "Pseudo-inverse of a Hermitian matrix.",
        symmetric(3),
        smooth={"diagonal": DIAGONAL},
        degree=-1,
    ),
    row(
        "tensorinv(x, ind=2)",
        "Inverse for tensordot.",
        _invertible_tensor(2, 2, 4),
        smooth={"identity": UNIT_TENSOR.reshape(2, 2, 4).tolist()},
        degree=-1,
    ),
    row(
        "tensorinv_of_one(x)",
        "Inverse for tensordot, with one axis on the left (ind=1).",
        _invertible_tensor(4, 2, 2),
        smooth={"identity": UNIT_TENSOR.reshape(4, 2, 2).tolist()},
        degree=-1,
    ),
)
STRUCTURED = (
    row(
        "vander(x, N=None, increasing=False)",
        "Powers of the elements of x, as columns.",
        array(3),
        options=[{}, {"increasing": True}, {"N": 4}, {"N": 4, "increasing": True}],
        smooth={"zero": 0.0, "one zero": [0.0, 1.0, -2.0], "ones": 1.0},
        complex=True,
    ),
    row(
        "vander_increasing(x, N=None)",
        "Powers of the elements of x as columns, from the exponent 0 on.",
        array(3),
        options=[{}, {"N": 4}, {"N": 2}],
        smooth={"zero": 0.0, "one zero": [0.0, 1.0, -2.0]},
        complex=True,
    ),
    row(
        "block_diag(xs)",
        "Matrix with blocks along its diagonal.",
        array(2, 2),
        array(1, 3),
        array(2),
        joined=True,
        ordinary=LINEAR,
    ),
    row(
        "toeplitz(c, r)",
        "Matrix with first column c and first row r, constant along diagonals.",
        array(3),
        array(4),
        ordinary=LINEAR,
    ),
    row(
        "hankel(c, r)",
        "Matrix with first column c and last row r, constant along the other diagonals.",
        array(3),
        array(4),
        ordinary=LINEAR,
    ),
    row("circulant(c)", "Matrix with first column c, each further column turned by one.", array(3), ordinary=LINEAR),
)
