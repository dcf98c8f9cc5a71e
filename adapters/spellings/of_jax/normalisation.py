"""Normalisation by statistics of the array, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

NORMALISATION: Mapping[str, Spelling] = {
    "standardize": lambda jax, x, eps=1e-5: jax.nn.standardize(x, epsilon=eps),
    "standardize_one_element": lambda jax, x, eps=1e-5: x + jax.nn.standardize(x, epsilon=eps),
    "standardize_by": lambda jax, x, mean, variance, eps=1e-5: jax.nn.standardize(x, -1, mean, variance, eps),
    "standardize_where": lambda jax, x, mask, eps=1e-5: jax.nn.standardize(x, epsilon=eps, where=mask),
}
