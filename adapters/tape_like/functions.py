"""The functions on arrays, under the names that PyTorch gives them."""

from __future__ import annotations

from typing import Any

from adapters.tape_like.mathematics import Mathematics
from adapters.tape_like.networks import LossesAndMatrices

__all__ = ["TapeFunctions"]

Array = Any


class TapeFunctions(Mathematics, LossesAndMatrices):
    """`ad.np` of an engine with PyTorch's public names."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def exp(self, x: Array) -> Array:
        return self.torch.exp(x)

    def log(self, x: Array) -> Array:
        return self.torch.log(x)

    def sqrt(self, x: Array) -> Array:
        return self.torch.sqrt(x)

    def softplus(self, x: Array) -> Array:
        return self.torch.nn.functional.softplus(x)

    def sum(self, x: Array) -> Array:
        return self.torch.sum(x)

    def mean(self, x: Array) -> Array:
        return self.torch.mean(x)

    def abs(self, x: Array) -> Array:
        return self.torch.abs(x)

    def real(self, x: Array) -> Array:
        return self.torch.real(x)

    def matmul(self, x: Array, y: Array) -> Array:
        return self.torch.matmul(x, y)

    def stack(self, arrays: Any) -> Array:
        return self.torch.stack(arrays)

    def unstack(self, x: Array) -> tuple[Array, ...]:
        return tuple(self.torch.unbind(x))

    def concat(self, arrays: Any) -> Array:
        return self.torch.cat(arrays)

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.torch.reshape(x, shape)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return self.torch.zeros(shape, dtype=self.torch.float64)

    def eye(self, n: int) -> Array:
        return self.torch.eye(n, dtype=self.torch.float64)

    def sin(self, x: Array) -> Array:
        return self.torch.sin(x)

    def cos(self, x: Array) -> Array:
        return self.torch.cos(x)

    def tan(self, x: Array) -> Array:
        return self.torch.tan(x)

    def tanh(self, x: Array) -> Array:
        return self.torch.tanh(x)

    def square(self, x: Array) -> Array:
        return self.torch.square(x)

    def expm1(self, x: Array) -> Array:
        return self.torch.expm1(x)

    def log1p(self, x: Array) -> Array:
        return self.torch.log1p(x)

    def sign(self, x: Array) -> Array:
        return self.torch.sgn(x)

    def floor(self, x: Array) -> Array:
        return self.torch.floor(x)

    def ceil(self, x: Array) -> Array:
        return self.torch.ceil(x)

    def round(self, x: Array) -> Array:
        return self.torch.round(x)

    def trunc(self, x: Array) -> Array:
        return self.torch.trunc(x)

    def reciprocal(self, x: Array) -> Array:
        return self.torch.reciprocal(x)

    def rsqrt(self, x: Array) -> Array:
        return self.torch.rsqrt(x)

    def sinc(self, x: Array) -> Array:
        return self.torch.sinc(x)

    def isnan(self, x: Array) -> Array:
        return self.torch.isnan(x)

    def conj(self, x: Array) -> Array:
        return self.torch.conj(x).resolve_conj()

    def imag(self, x: Array) -> Array:
        return self.torch.imag(x)

    def angle(self, x: Array) -> Array:
        return self.torch.angle(x)

    def relu(self, x: Array) -> Array:
        return self.torch.relu(x)

    def sigmoid(self, x: Array) -> Array:
        return self.torch.sigmoid(x)

    def maximum(self, x: Array, y: Array) -> Array:
        return self.torch.maximum(x, y)

    def minimum(self, x: Array, y: Array) -> Array:
        return self.torch.minimum(x, y)

    def copysign(self, x: Array, y: Array) -> Array:
        return self.torch.copysign(x, y)

    def hypot(self, x: Array, y: Array) -> Array:
        return self.torch.hypot(x, y)

    def logaddexp(self, x: Array, y: Array) -> Array:
        return self.torch.logaddexp(x, y)

    def outer(self, x: Array, y: Array) -> Array:
        return self.torch.outer(x, y)

    def atan2(self, x: Array, y: Array) -> Array:
        return self.torch.atan2(x, y)

    def pow(self, x: Array, y: Array | float) -> Array:
        return self.torch.pow(x, y)

    def where(self, condition: Array, x: Array, y: Array) -> Array:
        return self.torch.where(condition, x, y)

    def clip(self, x: Array, lowest: Array | float | None, highest: Array | float | None) -> Array:
        return self.torch.clamp(x, lowest, highest)

    def prod(self, x: Array) -> Array:
        return self.torch.prod(x)

    def max(self, x: Array) -> Array:
        return self.torch.max(x)

    def min(self, x: Array) -> Array:
        return self.torch.min(x)

    def std(self, x: Array) -> Array:
        return self.torch.std(x)

    def amax(self, x: Array, axis: int) -> Array:
        return self.torch.amax(x, axis)

    def amin(self, x: Array, axis: int) -> Array:
        return self.torch.amin(x, axis)

    def argmax(self, x: Array) -> Array:
        return self.torch.argmax(x)

    def sort(self, x: Array) -> Array:
        return self.torch.sort(x)[0]

    def argsort(self, x: Array) -> Array:
        return self.torch.argsort(x)

    def cumsum(self, x: Array) -> Array:
        return self.torch.cumsum(x, 0)

    def cumprod(self, x: Array) -> Array:
        return self.torch.cumprod(x, 0)

    def logsumexp(self, x: Array) -> Array:
        return self.torch.logsumexp(x, 0)

    def softmax(self, x: Array) -> Array:
        return self.torch.softmax(x, 0)

    def log_softmax(self, x: Array) -> Array:
        return self.torch.log_softmax(x, 0)

    def transpose(self, x: Array) -> Array:
        return self.torch.transpose(x, 0, 1)

    def broadcast_to(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.torch.broadcast_to(x, shape)

    def zeros_like(self, x: Array) -> Array:
        return self.torch.zeros_like(x)

    def ones_like(self, x: Array) -> Array:
        return self.torch.ones_like(x)

    def det(self, x: Array) -> Array:
        return self.torch.linalg.det(x)

    def norm(self, x: Array, order: float) -> Array:
        return self.torch.linalg.vector_norm(x, order)

    def eigvalsh(self, x: Array) -> Array:
        return self.torch.linalg.eigvalsh(x)
