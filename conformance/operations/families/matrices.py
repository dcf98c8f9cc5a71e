"""Kinds of matrices: how their numbers are drawn, and what makes one of any numbers."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy

from conformance.operations.row import Argument, array

NumPyArray: TypeAlias = "numpy.ndarray[Any, Any]"
# Special matrices of three rows.
IDENTITY = numpy.eye(3).tolist()
DIAGONAL = numpy.diag([2.0, 3.0, 5.0]).tolist()
PERMUTED = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
# Elimination by powers of two is exact: the last pivot is zero on every machine, and not what rounding leaves of it.
RANK_TWO = [[1.0, 0.25, 0.5], [2.0, 0.5, 1.0], [0.5, 0.0, 0.25]]


def invertible(size: int) -> Argument:
    """A square matrix far from singular, with distinct eigenvalues and singular values."""
    return array(size, size, draw=dominant)


def symmetric(size: int) -> Argument:
    """A symmetric matrix with distinct eigenvalues. A program of it makes any matrix symmetric first."""
    return array(size, size, draw=dominant, enters=_symmetric)


def positive_definite(size: int) -> Argument:
    """A symmetric positive definite matrix, made of any matrix: x xᵀ + I."""
    return array(size, size, draw=dominant, enters=_positive_definite)


def lower(size: int) -> Argument:
    """A lower triangular matrix with a positive diagonal. A program of it drops what is above the diagonal first."""
    return array(size, size, draw=dominant, enters=_lower)


def dominant(random: numpy.random.Generator, shape: tuple[int, ...]) -> NumPyArray:
    """A diagonal of 2, 3, 4, ... and numbers of at most a half beside it."""
    return numpy.asarray(random.uniform(-0.5, 0.5, shape) + numpy.diag(numpy.arange(2.0, 2.0 + shape[0])))


def _symmetric(ad: Any, x: Any) -> Any:
    # Both triangles take part, whichever of them the engine reads.
    return (x + ad.np.transpose(x)) * 0.5


def _positive_definite(ad: Any, x: Any) -> Any:
    # The identity keeps eigenvalues away from zero, where a Cholesky factor has no derivative.
    return ad.np.matmul(x, ad.np.transpose(x)) + ad.array(numpy.eye(x.shape[0]).tolist(), ad.dtype_of(x))


def _lower(ad: Any, x: Any) -> Any:
    return x * ad.array(numpy.tril(numpy.ones(tuple(x.shape))).tolist(), ad.dtype_of(x))
