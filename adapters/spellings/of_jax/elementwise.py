"""Elementwise functions of one real number, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ELEMENTWISE: Mapping[str, Spelling] = {
    **same("jax.lax", "rsqrt"),
    "pow_of_base": lambda jax, x, base: jax.numpy.power(base, x),
    "mantissa_with_exponent": "jax.numpy.frexp",
    "clip_by_numbers": lambda jax, x, lowest=None, highest=None: jax.numpy.clip(x, lowest, highest),
}
