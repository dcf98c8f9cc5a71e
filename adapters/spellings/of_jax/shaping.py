"""Changing the shape of arrays, joining and splitting them, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SHAPING: Mapping[str, Spelling] = {
    "unstack": lambda jax, x: tuple(jax.numpy.unstack(x)),
}
