"""Cumulative operations along an axis, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda jax, x: jax.numpy.cumsum(x, 0),
    "cumprod": lambda jax, x: jax.numpy.cumprod(x, 0),
}
