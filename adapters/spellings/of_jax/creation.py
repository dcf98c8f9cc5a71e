"""Making arrays, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

CREATION: Mapping[str, Spelling] = {
    "zeros": lambda jax, shape: jax.numpy.zeros(shape, dtype="float64"),
    "eye": lambda jax, n: jax.numpy.eye(n, dtype="float64"),
    "full": lambda jax, value, shape: jax.numpy.full(shape, value),
    **same("jax.numpy", "linspace logspace geomspace"),
}
