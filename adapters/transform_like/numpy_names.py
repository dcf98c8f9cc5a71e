"""The functions on arrays, of an engine with the names of `jax.numpy`."""

from __future__ import annotations

from typing import Any

__all__ = ["NumpyNames"]

Array = Any


class NumpyNames:
    """`ad.np`: `jnp` is the engine's array module, `nn` that of functions for neural networks."""

    def __init__(self, jnp: Any, nn: Any) -> None:
        self.jnp, self.nn = jnp, nn

    def exp(self, x: Array) -> Array:
        return self.jnp.exp(x)

    def log(self, x: Array) -> Array:
        return self.jnp.log(x)

    def sqrt(self, x: Array) -> Array:
        return self.jnp.sqrt(x)

    def softplus(self, x: Array) -> Array:
        return self.nn.softplus(x)

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

    def unstack(self, x: Array) -> tuple[Array, ...]:
        return tuple(self.jnp.unstack(x))

    def concat(self, arrays: Any) -> Array:
        return self.jnp.concatenate(arrays)

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.jnp.reshape(x, shape)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return self.jnp.zeros(shape, dtype="float64")

    def eye(self, n: int) -> Array:
        return self.jnp.eye(n, dtype="float64")

    def sin(self, x: Array) -> Array:
        return self.jnp.sin(x)

    def cos(self, x: Array) -> Array:
        return self.jnp.cos(x)

    def tan(self, x: Array) -> Array:
        return self.jnp.tan(x)

    def tanh(self, x: Array) -> Array:
        return self.jnp.tanh(x)

    def square(self, x: Array) -> Array:
        return self.jnp.square(x)

    def expm1(self, x: Array) -> Array:
        return self.jnp.expm1(x)

    def log1p(self, x: Array) -> Array:
        return self.jnp.log1p(x)

    def sign(self, x: Array) -> Array:
        return self.jnp.sign(x)

    def floor(self, x: Array) -> Array:
        return self.jnp.floor(x)

    def ceil(self, x: Array) -> Array:
        return self.jnp.ceil(x)

    def round(self, x: Array) -> Array:
        return self.jnp.round(x)

    def trunc(self, x: Array) -> Array:
        return self.jnp.trunc(x)

    def reciprocal(self, x: Array) -> Array:
        return 1 / x

    def rsqrt(self, x: Array) -> Array:
        return 1 / self.jnp.sqrt(x)

    def sinc(self, x: Array) -> Array:
        return self.jnp.sinc(x)

    def isnan(self, x: Array) -> Array:
        return self.jnp.isnan(x)

    def conj(self, x: Array) -> Array:
        return self.jnp.conj(x)

    def imag(self, x: Array) -> Array:
        return self.jnp.imag(x)

    def angle(self, x: Array) -> Array:
        return self.jnp.angle(x)

    def relu(self, x: Array) -> Array:
        return self.nn.relu(x)

    def sigmoid(self, x: Array) -> Array:
        return self.nn.sigmoid(x)

    def maximum(self, x: Array, y: Array) -> Array:
        return self.jnp.maximum(x, y)

    def minimum(self, x: Array, y: Array) -> Array:
        return self.jnp.minimum(x, y)

    def copysign(self, x: Array, y: Array) -> Array:
        return self.jnp.copysign(x, y)

    def hypot(self, x: Array, y: Array) -> Array:
        return self.jnp.hypot(x, y)

    def logaddexp(self, x: Array, y: Array) -> Array:
        return self.jnp.logaddexp(x, y)

    def outer(self, x: Array, y: Array) -> Array:
        return self.jnp.outer(x, y)

    def atan2(self, x: Array, y: Array) -> Array:
        return self.jnp.arctan2(x, y)

    def pow(self, x: Array, y: Array | float) -> Array:
        return self.jnp.power(x, y)

    def where(self, condition: Array, x: Array, y: Array) -> Array:
        return self.jnp.where(condition, x, y)

    def clip(self, x: Array, lowest: Array | float | None, highest: Array | float | None) -> Array:
        return self.jnp.clip(x, lowest, highest)

    def prod(self, x: Array) -> Array:
        return self.jnp.prod(x)

    def max(self, x: Array) -> Array:
        return self.jnp.max(x)

    def min(self, x: Array) -> Array:
        return self.jnp.min(x)

    def std(self, x: Array) -> Array:
        return self.jnp.std(x, ddof=1)

    def amax(self, x: Array, axis: int) -> Array:
        return self.jnp.amax(x, axis)

    def amin(self, x: Array, axis: int) -> Array:
        return self.jnp.amin(x, axis)

    def argmax(self, x: Array) -> Array:
        return self.jnp.argmax(x)

    def sort(self, x: Array) -> Array:
        return self.jnp.sort(x)

    def argsort(self, x: Array) -> Array:
        return self.jnp.argsort(x)

    def cumsum(self, x: Array) -> Array:
        return self.jnp.cumsum(x, 0)

    def cumprod(self, x: Array) -> Array:
        return self.jnp.cumprod(x, 0)

    def logsumexp(self, x: Array) -> Array:
        return self.nn.logsumexp(x)

    def softmax(self, x: Array) -> Array:
        return self.nn.softmax(x)

    def log_softmax(self, x: Array) -> Array:
        return self.nn.log_softmax(x)

    def transpose(self, x: Array) -> Array:
        return self.jnp.transpose(x)

    def broadcast_to(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.jnp.broadcast_to(x, shape)

    def zeros_like(self, x: Array) -> Array:
        return self.jnp.zeros_like(x)

    def ones_like(self, x: Array) -> Array:
        return self.jnp.ones_like(x)

    def det(self, x: Array) -> Array:
        return self.jnp.linalg.det(x)

    def norm(self, x: Array, order: float) -> Array:
        return self.jnp.linalg.vector_norm(x, ord=order)

    def eigvalsh(self, x: Array) -> Array:
        return self.jnp.linalg.eigvalsh(x)

    def eig(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.jnp.linalg.eig(x))

    def eigh(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.jnp.linalg.eigh(x))

    def svd(self, x: Array) -> tuple[Array, Array, Array]:
        return tuple(self.jnp.linalg.svd(x))

    def svdvals(self, x: Array) -> Array:
        return self.jnp.linalg.svdvals(x)

    def qr(self, x: Array, mode: str) -> Any:
        factors = self.jnp.linalg.qr(x, mode)
        return tuple(factors) if isinstance(factors, tuple) else (None, factors)

    def slogdet(self, x: Array) -> tuple[Array, Array]:
        return tuple(self.jnp.linalg.slogdet(x))
