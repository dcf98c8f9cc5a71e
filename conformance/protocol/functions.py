"""Functions on arrays, under array-API names; a function that is itself the subject keeps its documented name."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Functions"]

Array = Any


class Functions(Protocol):
    """The namespace `ad.np`."""

    def exp(self, x: Array) -> Array:
        """e to the power of each element."""

    def log(self, x: Array) -> Array:
        """The natural logarithm of each element."""

    def sqrt(self, x: Array) -> Array:
        """The square root of each element."""

    def softplus(self, x: Array) -> Array:
        """log(1 + exp(x)) of each element."""

    def sum(self, x: Array) -> Array:
        """The sum of all elements."""

    def mean(self, x: Array) -> Array:
        """The mean of all elements."""

    def abs(self, x: Array) -> Array:
        """The absolute value of each element."""

    def real(self, x: Array) -> Array:
        """The real part of each element."""

    def matmul(self, x: Array, y: Array) -> Array:
        """The matrix product."""

    def stack(self, arrays: Any) -> Array:
        """The arrays side by side along a new first axis."""

    def concat(self, arrays: Any) -> Array:
        """The arrays one after the other along the first axis."""

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        """The same elements under another shape."""

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros, float64, outside any graph."""

    def eye(self, n: int) -> Array:
        """The identity matrix, float64."""
