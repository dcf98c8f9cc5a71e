"""Calls of the functions of linear algebra: of `jax.numpy.linalg`, `jax.lax.linalg` and `jax.scipy.linalg`."""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy

from adapters.inventories.of_jax.arguments import Case, case, covariance, drawn, positive, square

__all__ = ["CASES"]

MATRIX, OTHER, TALL, VECTOR, SQUARE = drawn(2, 3), drawn(2, 3), drawn(3, 2), drawn(3), square()
BATCH, COVARIANCE = square(2), covariance()
# Functions that read one triangle of a matrix have derivatives as if it were symmetric: they are given such.
# A function of a square matrix: of one, and of a batch.
SQUARES = (case(SQUARE), case(BATCH))

_NUMPY: Mapping[str, tuple[Case, ...]] = {
    **dict.fromkeys(("det", "inv", "slogdet", "eigvals", "trace", "svdvals", "cond"), SQUARES),
    "cholesky": (*SQUARES, case(COVARIANCE, upper=True), case(COVARIANCE, symmetrize_input=False)),
    "cross": (case(MATRIX, VECTOR), case(TALL, drawn(3, 2), axis=0)),
    "diagonal": (case(MATRIX), case(BATCH, offset=1)),
    "eig": (case(SQUARE, seen=lambda outputs: outputs[0]), case(SQUARE)),
    "eigh": (*SQUARES, case(COVARIANCE, UPLO="U", symmetrize_input=False)),
    "eigvalsh": (*SQUARES, case(COVARIANCE, UPLO="U", symmetrize_input=False)),
    "lstsq": (case(TALL, VECTOR, seen=lambda outputs: outputs[:2]), case(MATRIX, drawn(2, 2))),
    "matrix_norm": (case(MATRIX), case(MATRIX, ord="nuc", keepdims=True), case(MATRIX, ord=2), case(MATRIX, ord=1)),
    "matrix_power": (case(SQUARE, 3), case(SQUARE, -2), case(SQUARE, 0)),
    "multi_dot": (case([VECTOR, drawn(3, 2), drawn(2, 3)]),),
    "norm": (
        case(MATRIX),
        case(MATRIX, axis=0, keepdims=True),
        *(case(VECTOR, ord=order) for order in (1, 3, numpy.inf, 0)),
        *(case(MATRIX, ord=order) for order in (2, -2, "nuc", -numpy.inf)),
    ),
    "outer": (case(VECTOR, drawn(2)),),
    "pinv": (case(TALL), case(MATRIX), case(SQUARE, hermitian=True)),
    "qr": (case(SQUARE), case(TALL), case(TALL, mode="r"), case(MATRIX, mode="complete")),
    "slogdet": (*SQUARES, case(SQUARE, method="qr")),
    "solve": (case(SQUARE, VECTOR), case(BATCH, TALL)),
    "svd": (
        case(SQUARE),
        case(TALL, full_matrices=False),
        case(MATRIX, compute_uv=False),
        case(COVARIANCE, hermitian=True),
    ),
    "svdvals": (case(MATRIX), case(BATCH)),
    "tensordot": (case(MATRIX, OTHER), case(MATRIX, TALL, axes=1)),
    "tensorinv": (case(SQUARE, ind=1),),
    "tensorsolve": (case(SQUARE, VECTOR), case(drawn(2, 3, 2, 3), MATRIX)),
    "vecdot": (case(MATRIX, VECTOR), case(MATRIX, OTHER, axis=0)),
    "vector_norm": (case(MATRIX), case(MATRIX, axis=0, keepdims=True, ord=3), case(MATRIX, axis=1, ord=-numpy.inf)),
}

_LAX: Mapping[str, tuple[Case, ...]] = {
    "cholesky": (*SQUARES, case(COVARIANCE, symmetrize_input=False)),
    "cholesky_update": (case(SQUARE, VECTOR),),
    "eig": (
        case(SQUARE, compute_left_eigenvectors=False, compute_right_eigenvectors=False),
        case(SQUARE, compute_left_eigenvectors=False, enable_eigvec_derivs=True, seen=lambda outputs: abs(outputs[1])),
    ),
    "eigh": (*SQUARES, case(COVARIANCE, lower=False, symmetrize_input=False), case(SQUARE, sort_eigenvalues=False)),
    "hessenberg": (case(SQUARE),),
    "householder_product": (case(TALL, drawn(2)),),
    "lu": (case(SQUARE, seen=lambda outputs: outputs[0]), case(TALL, seen=lambda outputs: outputs[0])),
    "ormqr": (case(TALL, drawn(2), drawn(3, 2)), case(TALL, drawn(2), drawn(2, 3), left=False, transpose=True)),
    "qdwh": (case(SQUARE, seen=lambda outputs: outputs[:2]),),
    "qr": (case(SQUARE), case(TALL, full_matrices=False), case(SQUARE, pivoting=True)),
    "schur": (case(SQUARE),),
    "svd": (case(SQUARE), case(TALL, full_matrices=False), case(MATRIX, compute_uv=False)),
    "symmetric_product": (
        case(TALL, drawn(3, 3)),
        case(TALL, covariance(), alpha=0.5, beta=2.0, symmetrize_output=True),
    ),
    "triangular_solve": (
        case(SQUARE, MATRIX),
        case(SQUARE, TALL, left_side=True, lower=True, transpose_a=True),
        case(SQUARE, MATRIX, unit_diagonal=True),
    ),
    "tridiagonal": (case(COVARIANCE),),
    "tridiagonal_solve": (case(drawn(3), positive(3), drawn(3), drawn(3, 2)),),
}

_SCIPY: Mapping[str, tuple[Case, ...]] = {
    **dict.fromkeys(("det", "inv"), SQUARES),
    "block_diag": (case(MATRIX, VECTOR),),
    "cho_factor": (
        case(COVARIANCE, seen=lambda outputs: jnp.triu(outputs[0])),
        case(COVARIANCE, lower=True, seen=lambda outputs: jnp.tril(outputs[0])),
    ),
    "cho_solve": (
        case(SQUARE, VECTOR, through=lambda f, c, b: f((c, False), b)),
        case(SQUARE, TALL, through=lambda f, c, b: f((c, True), b)),
    ),
    "cholesky": (case(COVARIANCE), case(COVARIANCE, lower=True)),
    "companion": (case(VECTOR),),
    "convolution_matrix": (case(VECTOR, 2), case(VECTOR, 2, mode="same"), case(VECTOR, 2, mode="valid")),
    "eigh": (case(COVARIANCE), case(COVARIANCE, eigvals_only=True, lower=False)),
    "eigh_tridiagonal": (case(VECTOR, drawn(2), eigvals_only=True),),
    "expm": (*SQUARES, case(SQUARE, upper_triangular=True)),
    "expm_frechet": (case(SQUARE, square()),),
    "fiedler_companion": (case(VECTOR),),
    "funm": (case(SQUARE, through=lambda f, a: f(a, jnp.exp, disp=False)[0]),),
    "hankel": (case(VECTOR), case(VECTOR, drawn(2))),
    "hessenberg": (case(SQUARE),),
    "leslie": (case(VECTOR, drawn(2)),),
    "lu": (case(SQUARE), case(SQUARE, permute_l=True), case(TALL)),
    "lu_factor": (case(SQUARE, seen=lambda outputs: outputs[0]),),
    "lu_solve": (case(SQUARE, VECTOR, trans=1, through=lambda f, a, b, **k: f(jax.scipy.linalg.lu_factor(a), b, **k)),),
    "polar": (case(TALL), case(MATRIX, side="left"), case(SQUARE, method="svd")),
    "qr": (case(SQUARE), case(TALL, mode="economic"), case(SQUARE, pivoting=True, seen=lambda outputs: outputs[:2])),
    "qr_multiply": (case(SQUARE, MATRIX), case(SQUARE, TALL, mode="left")),
    "rsf2csf": (case(SQUARE, through=lambda f, a: tuple(map(abs, f(*jax.scipy.linalg.schur(a))))),),
    "schur": (case(SQUARE), case(SQUARE, output="complex", seen=lambda outputs: abs(outputs[0]))),
    "solve": (
        case(SQUARE, VECTOR),
        case(BATCH, drawn(2, 3, 2)),
        case(COVARIANCE, VECTOR, assume_a="sym"),
        case(COVARIANCE, VECTOR, assume_a="pos", lower=True),
    ),
    "solve_sylvester": (case(SQUARE, square(), drawn(3, 3)), case(SQUARE, square(), drawn(3, 3), method="eigen")),
    "solve_triangular": (
        case(SQUARE, VECTOR),
        case(SQUARE, TALL, trans=1, lower=True),
        case(SQUARE, VECTOR, unit_diagonal=True),
    ),
    "sqrtm": (case(SQUARE),),
    "svd": (case(SQUARE), case(TALL, full_matrices=False), case(MATRIX, compute_uv=False)),
    "toeplitz": (case(VECTOR), case(VECTOR, drawn(2))),
}

CASES: Mapping[str, tuple[Case, ...]] = {
    f"{module}.{name}": cases
    for module, table in {"jax.numpy.linalg": _NUMPY, "jax.lax.linalg": _LAX, "jax.scipy.linalg": _SCIPY}.items()
    for name, cases in table.items()
}
