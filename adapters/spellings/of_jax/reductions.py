"""Reductions of an array, or of one of its axes, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

REDUCTIONS: Mapping[str, Spelling] = {
    **same("jax.nn", "logsumexp"),
    "std": lambda jax, x: jax.numpy.std(x, ddof=1),  # n - 1, as PyTorch
}
