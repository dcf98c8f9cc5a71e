"""The functions on arrays, under the names that PyTorch gives them."""

from __future__ import annotations

from typing import Any

__all__ = ["TapeFunctions"]

Array = Any


class TapeFunctions:
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

    def concat(self, arrays: Any) -> Array:
        return self.torch.cat(arrays)

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        return self.torch.reshape(x, shape)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return self.torch.zeros(shape, dtype=self.torch.float64)

    def eye(self, n: int) -> Array:
        return self.torch.eye(n, dtype=self.torch.float64)
