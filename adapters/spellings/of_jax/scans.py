"""Cumulative operations along an axis, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda jax, x, axis=0: jax.numpy.cumsum(x, axis),
    "cumprod": lambda jax, x, axis=0: jax.numpy.cumprod(x, axis),
    # In jax.lax an axis is not negative.
    "reverse_cumsum": lambda jax, x, axis=0: jax.lax.cumsum(x, axis % x.ndim, reverse=True),
    "reverse_cumprod": lambda jax, x, axis=0: jax.lax.cumprod(x, axis % x.ndim, reverse=True),
    "cummax": lambda jax, x, axis=0: jax.lax.cummax(x, axis % x.ndim),
    "cummin": lambda jax, x, axis=0: jax.lax.cummin(x, axis % x.ndim),
    "reverse_cummax": lambda jax, x, axis=0: jax.lax.cummax(x, axis % x.ndim, reverse=True),
    "reverse_cummin": lambda jax, x, axis=0: jax.lax.cummin(x, axis % x.ndim, reverse=True),
    "logcumsumexp": lambda jax, x, axis=0: jax.lax.cumlogsumexp(x, axis % x.ndim),
    "reverse_logcumsumexp": lambda jax, x, axis=0: jax.lax.cumlogsumexp(x, axis % x.ndim, reverse=True),
    "diff_with_ends": lambda jax, x, before, after: jax.numpy.diff(x, prepend=before, append=after),
    "gradient": lambda jax, x, spacing=1.0, axis=0: jax.numpy.gradient(x, spacing, axis=axis),
    "gradient_at": "jax.numpy.gradient",
    "trapezoid_at": "jax.numpy.trapezoid",
    "logcumsumexp_of_masked": lambda jax, x: jax.lax.cumlogsumexp(x, 0),
}
