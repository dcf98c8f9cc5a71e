"""Sorting, ranking and searching, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ORDERING: Mapping[str, Spelling] = {
    "nonzero": lambda jax, x: jax.numpy.nonzero(x)[0],
    "mode": lambda jax, x: jax.scipy.stats.mode(x).mode,
    "topk": lambda jax, x, k: tuple(jax.lax.top_k(x, k)),
}
