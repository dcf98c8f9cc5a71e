"""Decompositions, solvers, determinants and inverses, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    # Derivatives of these eigenvectors are asked for, as JAX cannot check that the eigenvalues are distinct.
    "eig": lambda jax, x: tuple(jax.lax.linalg.eig(x, compute_left_eigenvectors=False, enable_eigvec_derivs=True)),
    "eigh": lambda jax, x: tuple(jax.numpy.linalg.eigh(x)),
    "svd": lambda jax, x: tuple(jax.numpy.linalg.svd(x)),
    "slogdet": lambda jax, x: tuple(jax.numpy.linalg.slogdet(x)),
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda jax, x, mode: (
        (None, jax.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(jax.numpy.linalg.qr(x, mode))
    ),
}
