"""Making arrays, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

CREATION: Mapping[str, Spelling] = {
    "zeros": lambda jax, shape: jax.numpy.zeros(shape, dtype="float64"),
    "eye": lambda jax, n: jax.numpy.eye(n, dtype="float64"),
}
