"""Norms and distances, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

NORMS: Mapping[str, Spelling] = {
    **same("jax.numpy.linalg", "matrix_norm"),
    "vector_norm": lambda jax, x, ord=2, axis=None, keepdims=False: jax.numpy.linalg.vector_norm(
        x, ord=ord, axis=axis, keepdims=keepdims
    ),
    "norm": lambda jax, x, order: jax.numpy.linalg.vector_norm(x, ord=order),
    "one_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=1),
    "max_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=float("inf")),
    "min_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=-float("inf")),
    "harmonic_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=-1),
    "half_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=0.5),
    "zero_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=0),
    "cubic_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=3),
    "quartic_norm": lambda jax, x: jax.numpy.linalg.vector_norm(x, ord=4),
    "nuclear_norm": lambda jax, x: jax.numpy.linalg.matrix_norm(x, ord="nuc"),
    "spectral_norm": lambda jax, x: jax.numpy.linalg.matrix_norm(x, ord=2),
    "matrix_norm_of_order": lambda jax, x, order: jax.numpy.linalg.matrix_norm(x, ord=order),
}
