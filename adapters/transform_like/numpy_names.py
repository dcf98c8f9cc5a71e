"""The functions on arrays, of an engine with the names of `jax.numpy`."""

from __future__ import annotations

from typing import Any

__all__ = ["NumpyNames"]

Array = Any


class NumpyNames:
    """`ad.np`: `jnp` is the engine's array module, `softplus` the one function that lives elsewhere."""

    def __init__(self, jnp: Any, softplus: Any) -> None:
        self.jnp, self.softplus = jnp, softplus

    def exp(self, x: Array) -> Array:
        return self.jnp.exp(x)

    def log(self, x: Array) -> Array:
        return self.jnp.log(x)

    def sqrt(self, x: Array) -> Array:
        return self.jnp.sqrt(x)

    def sum(self, x: Array) -> Array:
        return self.jnp.sum(x)

    def mean(self, x: Array) -> Array:
        return self.jnp.mean(x)

    def abs(self, x: Array) -> Array:
        return self.jnp.abs(x)

    def real(self, x: Array) -> Array:
        return self.jnp.real(x)

    def matmul(self, x: Array, y: Array) -> Array:
        return self.jnp.matmul(x, y)

    def stack(self, arrays: Any) -> Array:
        return self.jnp.stack(arrays)

    def concat(self, arrays: Any) -> Array:
        return self.jnp.concatenate(arrays)

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.jnp.reshape(x, shape)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return self.jnp.zeros(shape, dtype="float64")

    def eye(self, n: int) -> Array:
        return self.jnp.eye(n, dtype="float64")
