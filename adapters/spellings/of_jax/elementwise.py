"""Elementwise functions of real numbers, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ELEMENTWISE: Mapping[str, Spelling] = {
    "reciprocal": lambda jax, x: 1 / x,
    "rsqrt": lambda jax, x: 1 / jax.numpy.sqrt(x),
}
