"""Functions that end or begin a network: losses, rows of a table, and random masks."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Losses"]

Array = Any


class Losses(Protocol):
    """Means over all elements, or over all rows."""

    def binary_cross_entropy(self, x: Array, target: Array) -> Array:
        """Minus the logarithm of the probability that `x`, the probability of one, gives to a target of zero or one."""

    def gaussian_nll_loss(self, x: Array, target: Array, var: Array, eps: float) -> Array:
        """(log(var) + (x - target)^2 / var) / 2, with a variance of at least `eps`."""

    def cross_entropy(self, x: Array, target: Array, ignore_index: int) -> Array:
        """Minus log_softmax of each row of `x` at its target, an index; rows with `ignore_index` do not count."""

    def embedding(
        self, indices: Array, table: Array, padding_idx: int | None = None, scale_grad_by_freq: bool = False
    ) -> Array:
        """The rows of a table that the indices name.

        The row `padding_idx` gets no gradient; with `scale_grad_by_freq` a row named n times gets its n-th part.
        """

    def gumbel_softmax(self, x: Array, hard: bool) -> Array:
        """Softmax of a vector with random noise added; with `hard`, one at its greatest element, and zeros."""

    def dropout(self, x: Array, p: float) -> Array:
        """Zeros at random places, each with probability `p`, and the other elements divided by 1 - `p`."""
