"""Sorting, ranking and searching, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ORDERING: Mapping[str, Spelling] = {
    "approx_max_k": lambda jax, x, k: tuple(jax.lax.approx_max_k(x, k)),
    "nonzero": lambda jax, x: jax.numpy.nonzero(x)[0],
    "mode": lambda jax, x: jax.scipy.stats.mode(x).mode,
    "sort_along_axis": "jax.numpy.sort",
    "sort_descending": lambda jax, x, axis=-1: jax.numpy.sort(x, axis, descending=True),
    "sort_by_key": "jax.lax.sort_key_val",
    "topk": lambda jax, x, k, axis=-1: tuple(jax.lax.top_k(x, k, axis=axis)),
}
