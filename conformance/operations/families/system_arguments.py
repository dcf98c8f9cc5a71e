"""Arguments of linear systems: triangles, stacks, and matrices of full rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy

from conformance.operations.families.matrices import (
    DIAGONAL,
    IDENTITY,
    PERMUTED,
    dominant,
    invertible,
)
from conformance.operations.row import Argument, array


def lower_part(ad: Any, x: Any) -> Any:
    """Drop what is above the diagonal."""
    return x * triangle(ad, x, numpy.tril)


def upper_part(ad: Any, x: Any) -> Any:
    """Drop what is below the diagonal."""
    return x * triangle(ad, x, numpy.triu)


def triangle(ad: Any, x: Any, kept: Any) -> Any:
    """Ones where NumPy's function keeps a matrix of ones, of the dtype of an array."""
    return ad.array(kept(numpy.ones(x.shape[-2:])).tolist(), ad.dtype_of(x))


def upper() -> Argument:
    """An upper triangular matrix with a positive diagonal. A program of it drops what is below the diagonal first."""
    return replace(invertible(3), enters=upper_part)


def stack(size: int, enters: Callable[[Any, Any], Any] | None = None) -> Argument:
    """Two matrices that are invertible."""
    middle = numpy.diag(numpy.arange(2.0, 2.0 + size))
    return array(2, size, size, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape), enters=enters)


def full_rank(rows: int, columns: int) -> Argument:
    """A matrix of full rank, far from lower rank."""
    middle = numpy.eye(rows, columns) * (2.0 + numpy.arange(columns))
    return array(rows, columns, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape))


def invertible_tensor(*shape: int) -> Argument:
    """A tensor that is an invertible matrix once some axes are joined."""
    size = int(numpy.prod(shape) ** 0.5)
    return array(*shape, draw=lambda random, _: dominant(random, (size, size)).reshape(shape))


def banded() -> Argument:
    """Rows: the diagonals above, at and below the main diagonal; no solution is near to being undetermined."""
    middle = numpy.array([[0.0], [3.0], [0.0]])
    return array(3, 3, draw=lambda random, shape: middle + random.uniform(-0.5, 0.5, shape))


# Special points of a matrix and what is to its right or left; or of that and a factor.
SYSTEM = {"identity": (IDENTITY, 1.0), "turn": (PERMUTED, 1.0), "zero": (DIAGONAL, 0.0)}
# Where a is symmetric, or triangular.
DIAGONAL_SYSTEM = {"identity": (IDENTITY, 1.0), "zero": (DIAGONAL, 0.0)}
BY_FACTOR = {"identity": (1.0, IDENTITY), "zero": (0.0, DIAGONAL)}
UNIT_TENSOR = numpy.eye(4)
