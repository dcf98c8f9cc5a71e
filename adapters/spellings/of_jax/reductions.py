"""Reductions of an array, or of one of its axes, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

REDUCTIONS: Mapping[str, Spelling] = {
    **same("jax.nn", "logsumexp logmeanexp"),
    # The default is n - 1, as in PyTorch.
    "std_of_one_element": lambda jax, x: x + jax.numpy.std(x, -1, keepdims=True),
    "std": lambda jax, x, axis=None, keepdims=False, ddof=1: jax.numpy.std(x, axis, ddof=ddof, keepdims=keepdims),
    "var": lambda jax, x, axis=None, keepdims=False, ddof=1: jax.numpy.var(x, axis, ddof=ddof, keepdims=keepdims),
    "cov": lambda jax, x, ddof=1: jax.numpy.cov(x, ddof=ddof),
    "prod_along_axis": "jax.numpy.prod",
    "average": lambda jax, x, weights, axis=None: jax.numpy.average(x, axis, weights),
    "quantile": lambda jax, x, q, axis=None, keepdims=False, method="linear": jax.numpy.quantile(
        x, jax.numpy.asarray(q), axis, method=method, keepdims=keepdims
    ),
    "nanquantile": lambda jax, x, q, axis=None, keepdims=False, method="linear": jax.numpy.nanquantile(
        x, jax.numpy.asarray(q), axis, method=method, keepdims=keepdims
    ),
    "quantile_of_levels": "jax.numpy.quantile",
    "weighted_logsumexp": lambda jax, x, weights: jax.nn.logsumexp(x, b=weights),
    "logsumexp_of_masked": "jax.nn.logsumexp",
}
