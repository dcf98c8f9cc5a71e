"""Functions whose derivative is a matter of convention somewhere, or whose result has none, by what they do.

A function that is itself the subject of a behaviour keeps its documented name.
"""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Distances", "Likenesses", "Networks", "Ordering", "Pointwise"]

Array = Any


class Pointwise(Protocol):
    """Functions of each element."""

    def digamma(self, x: Array) -> Array:
        """The derivative of the logarithm of the gamma function, of each element."""

    def spence(self, x: Array) -> Array:
        """The dilogarithm of each element, in the form that is zero at one."""

    def view_as_real(self, x: Array) -> Array:
        """Real and imaginary part of each element, along a new last axis."""

    def underived(self, x: Array) -> Array:
        """A smooth function for which the engine has no derivative; each engine names its own."""

    def signbit(self, x: Array) -> Array:
        """Whether each element has a minus sign."""


class Ordering(Protocol):
    """The order of the elements of a vector, and elements by their place."""

    def sort_with_indices(self, x: Array) -> tuple[Array, Array]:
        """The elements in order, and where each stood."""

    def max_with_index(self, x: Array) -> tuple[Array, Array]:
        """The greatest element, and where it stands."""

    def topk(self, x: Array, k: int) -> tuple[Array, Array]:
        """The `k` greatest elements, and where they stood."""

    def kthvalue(self, x: Array, k: int) -> Array:
        """The element that `k` - 1 others precede in order."""

    def mode(self, x: Array) -> Array:
        """The element that occurs most often."""

    def count_nonzero(self, x: Array) -> Array:
        """How many elements are not zero."""

    def nonzero(self, x: Array) -> Array:
        """The places of the elements that are not zero."""

    def searchsorted(self, x: Array, values: Array) -> Array:
        """The places in an ordered vector where these values would have to go."""

    def take(self, x: Array, indices: Array) -> Array:
        """The elements at these places."""


class Distances(Protocol):
    """How far points are from each other, or from zero, in the 2-norm."""

    def dist(self, x: Array, y: Array) -> Array:
        """The distance of two points."""

    def cdist(self, x: Array, y: Array) -> Array:
        """The distances of all rows of `x` from all rows of `y`."""

    def pdist(self, x: Array) -> Array:
        """The distances of all pairs of rows."""

    def matrix_norm(self, x: Array) -> Array:
        """The Frobenius norm of a matrix."""


class Networks(Protocol):
    """Functions that neural networks are made of."""

    def relu6(self, x: Array) -> Array:
        """Each element, but not below zero and not above six."""

    def leaky_relu(self, x: Array) -> Array:
        """Each element, a hundredth of it below zero."""

    def hardtanh(self, x: Array) -> Array:
        """Each element, but not below -1 and not above 1."""

    def hardsigmoid(self, x: Array) -> Array:
        """relu6(x + 3) / 6 of each element."""

    def lp_pool1d(self, x: Array, norm: int, size: int) -> Array:
        """The norms of that order of neighbouring elements, `size` of them at a time."""

    def l1_loss(self, x: Array, target: Array) -> Array:
        """The mean absolute difference."""

    def smooth_l1_loss(self, x: Array, target: Array) -> Array:
        """The same, with half the square in place of differences below one, less a half above."""

    def huber_loss(self, x: Array, target: Array) -> Array:
        """The mean of half the squared differences, growing linearly above one."""


class Likenesses(Protocol):
    """New arrays in the shape and dtype of another."""

    def full_like(self, x: Array, value: float) -> Array:
        """That value throughout."""

    def rand_like(self, x: Array) -> Array:
        """Random numbers between zero and one."""
