"""The functions on arrays under NumPy's names, wrapped, with SciPy's, and three that its examples write out."""

from __future__ import annotations

from typing import Any

import autograd.numpy as anp
import autograd.scipy.special as special

from adapters.transform_like.numpy_names import NumpyNames

__all__ = ["HipsFunctions"]

Array = Any


class HipsFunctions(NumpyNames):
    """`ad.np` of HIPS autograd."""

    def __init__(self) -> None:
        super().__init__(anp, special)

    def unstack(self, x: Array) -> tuple[Array, ...]:
        """Idiom: indexing is the operation that has a derivative."""
        return tuple(x[place] for place in range(x.shape[0]))

    def relu(self, x: Array) -> Array:
        """Idiom of its examples."""
        return anp.maximum(x, 0.0)

    def sigmoid(self, x: Array) -> Array:
        return special.expit(x)

    def softplus(self, x: Array) -> Array:
        """Idiom: NumPy's name for it."""
        return anp.logaddexp(x, 0.0)

    def softmax(self, x: Array) -> Array:
        """Idiom: the exponential of the next one."""
        return anp.exp(x - special.logsumexp(x))

    def log_softmax(self, x: Array) -> Array:
        """Idiom of its examples."""
        return x - special.logsumexp(x)

    def norm(self, x: Array, order: float) -> Array:
        return anp.linalg.norm(anp.ravel(x), order)

    def matrix_norm(self, x: Array) -> Array:
        return anp.linalg.norm(x)

    def digamma(self, x: Array) -> Array:
        return special.digamma(x)

    def underived(self, x: Array) -> Array:
        return anp.cbrt(x)

    def signbit(self, x: Array) -> Array:
        return anp.signbit(x)

    def count_nonzero(self, x: Array) -> Array:
        return anp.count_nonzero(x)

    def nonzero(self, x: Array) -> Array:
        return anp.nonzero(x)[0]

    def searchsorted(self, x: Array, values: Array) -> Array:
        return anp.searchsorted(x, values)

    def take(self, x: Array, indices: Array) -> Array:
        return anp.take(x, indices)

    def full_like(self, x: Array, value: float) -> Array:
        return anp.full_like(x, value)
