"""Complex numbers and their parts, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

COMPLEX_NUMBERS: Mapping[str, Spelling] = {
    **same("jax.lax", "complex"),
    # NumPy's sign of a complex number is x / |x|.
    "sgn": "jax.numpy.sign",
    "conj_physical": "jax.lax.conj",
}
