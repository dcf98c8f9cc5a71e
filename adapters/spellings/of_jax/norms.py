"""Norms and distances, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

NORMS: Mapping[str, Spelling] = {
    "matrix_norm": "jax.numpy.linalg.matrix_norm",
    "norm": lambda jax, x, order: jax.numpy.linalg.vector_norm(x, ord=order),
}
