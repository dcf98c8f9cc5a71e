"""Special functions: gamma, beta, error and Bessel functions, and their kin, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    **same("jax.scipy.special", "digamma spence"),
    # The Hurwitz zeta function has no derivative rule by its first argument.
    "underived": lambda jax, x: jax.lax.zeta(x, jax.numpy.ones_like(x)),
}
