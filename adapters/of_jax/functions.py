"""The functions on arrays under the names of JAX: NumPy's, SciPy's, and those of `jax.nn` and `jax.lax`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import jax.scipy.stats

from adapters.transform_like.numpy_names import NumpyNames

__all__ = ["JaxFunctions"]

Array = Any


class JaxFunctions(NumpyNames):
    """`ad.np` of JAX."""

    def digamma(self, x: Array) -> Array:
        return jax.scipy.special.digamma(x)

    def spence(self, x: Array) -> Array:
        return jax.scipy.special.spence(x)

    def underived(self, x: Array) -> Array:
        return jax.lax.nextafter(x, jnp.inf * x)

    def signbit(self, x: Array) -> Array:
        return jnp.signbit(x)

    def matrix_norm(self, x: Array) -> Array:
        return jnp.linalg.matrix_norm(x)

    def count_nonzero(self, x: Array) -> Array:
        return jnp.count_nonzero(x)

    def topk(self, x: Array, k: int) -> tuple[Array, Array]:
        return tuple(jax.lax.top_k(x, k))

    def mode(self, x: Array) -> Array:
        return jax.scipy.stats.mode(x).mode

    def nonzero(self, x: Array) -> Array:
        return jnp.nonzero(x)[0]

    def searchsorted(self, x: Array, values: Array) -> Array:
        return jnp.searchsorted(x, values)

    def take(self, x: Array, indices: Array) -> Array:
        return jnp.take(x, indices)

    def relu6(self, x: Array) -> Array:
        return jax.nn.relu6(x)

    def leaky_relu(self, x: Array) -> Array:
        return jax.nn.leaky_relu(x)

    def hardtanh(self, x: Array) -> Array:
        return jax.nn.hard_tanh(x)

    def hardsigmoid(self, x: Array) -> Array:
        return jax.nn.hard_sigmoid(x)

    def full_like(self, x: Array, value: float) -> Array:
        return jnp.full_like(x, value)
