"""Decompositions, solvers, determinants and inverses, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    **same("jax.scipy.linalg", "expm sqrtm solve_triangular eigh_tridiagonal toeplitz hankel circulant"),
    **same("jax.scipy.linalg", "solve_sylvester"),
    **same("jax.lax.linalg", "cholesky_update tridiagonal_solve householder_product ormqr"),
    **dict.fromkeys(("lstsq", "lstsq_of_square", "lstsq_of_wide"), lambda jax, a, b: jax.numpy.linalg.lstsq(a, b)[0]),
    # Derivatives of these eigenvectors are asked for, as JAX cannot check that the eigenvalues are distinct.
    "eig": lambda jax, x: tuple(jax.lax.linalg.eig(x, compute_left_eigenvectors=False, enable_eigvec_derivs=True)),
    "eigh": lambda jax, x, UPLO="L": tuple(jax.numpy.linalg.eigh(x, UPLO)),
    "eigh_tridiagonal": lambda jax, d, e: jax.scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=True),
    "svd": lambda jax, x: tuple(jax.numpy.linalg.svd(x)),
    "svd_of_tall": lambda jax, x: tuple(jax.numpy.linalg.svd(x, full_matrices=False)),
    "svd_of_wide": lambda jax, x: tuple(jax.numpy.linalg.svd(x, full_matrices=False)),
    "schur": lambda jax, x: tuple(jax.scipy.linalg.schur(x)),
    "slogdet": lambda jax, x: tuple(jax.numpy.linalg.slogdet(x)),
    "cholesky_upper": lambda jax, x: jax.numpy.linalg.cholesky(x, upper=True),
    "cho_factor": lambda jax, x: jax.scipy.linalg.cho_factor(x, lower=True)[0],
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda jax, x, mode: (
        (None, jax.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(jax.numpy.linalg.qr(x, mode))
    ),
    "qr_of_tall": lambda jax, x: tuple(jax.numpy.linalg.qr(x)),
    "qr_of_wide": lambda jax, x: tuple(jax.numpy.linalg.qr(x)),
    "lu": lambda jax, x: tuple(jax.scipy.linalg.lu(x)),
    "lu_of_tall": lambda jax, x: tuple(jax.scipy.linalg.lu(x)),
    "lu_of_wide": lambda jax, x: tuple(jax.scipy.linalg.lu(x)),
    "lu_factor": lambda jax, x: tuple(jax.scipy.linalg.lu_factor(x)),
    # The default method takes no square matrix with side "left".
    "polar_decomposition": lambda jax, x, side="right": tuple(jax.scipy.linalg.polar(x, side, method="svd")),
    "tridiagonal": lambda jax, x: tuple(jax.lax.linalg.tridiagonal(x)[1:3]),
    "expm_frechet": lambda jax, x, y: jax.scipy.linalg.expm_frechet(x, y, compute_expm=False),
    "pinv_hermitian": lambda jax, x: jax.numpy.linalg.pinv(x, hermitian=True),
    "cond_of_norm": "jax.numpy.linalg.cond",
    "pinv_of_rank": lambda jax, x: jax.numpy.linalg.pinv(x, rtol=1e-4),
    "tensorinv_of_one": lambda jax, x: jax.numpy.linalg.tensorinv(x, 1),
    "solve_vector": "jax.numpy.linalg.solve",
    "solve_symmetric": lambda jax, a, b: jax.scipy.linalg.solve(a, b, assume_a="sym"),
    "solve_positive_definite": lambda jax, a, b: jax.scipy.linalg.solve(a, b, assume_a="pos"),
    "solve_unit_triangular": lambda jax, a, b, lower=False: jax.scipy.linalg.solve_triangular(
        a, b, lower=lower, unit_diagonal=True
    ),
    "solve_triangular_transposed": lambda jax, a, b, trans, lower=False: jax.scipy.linalg.solve_triangular(
        a, b, trans, lower
    ),
    "solve_triangular_from_right": "jax.lax.linalg.triangular_solve",
    "triangular_solve": lambda jax, b, a, upper=True, transpose=False, unitriangular=False: (
        jax.lax.linalg.triangular_solve(
            a, b, left_side=True, lower=not upper, transpose_a=transpose, unit_diagonal=unitriangular
        )
    ),
    "cholesky_solve": lambda jax, b, c: jax.scipy.linalg.cho_solve((c, True), b),
    "cholesky_solve_upper": lambda jax, b, c: jax.scipy.linalg.cho_solve((c, False), b),
    "lu_solve": lambda jax, lu, pivots, b: jax.scipy.linalg.lu_solve((lu, pivots.astype("int32")), b),
    "lu_solve_transposed": lambda jax, lu, pivots, b: jax.scipy.linalg.lu_solve(
        (lu, pivots.astype("int32")), b, trans=1
    ),
    "vander_increasing": lambda jax, x, N=None: jax.numpy.vander(x, N, increasing=True),
    "vander": "jax.numpy.vander",
    "block_diag": lambda jax, xs: jax.scipy.linalg.block_diag(*xs),
}
