"""Lengths of vectors and matrices, and how far values are spread."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.aliases import Axes
from ..core.primitive import Primitive
from ..core.tensor import Tensor
from .call_forms import dims, documented
from .shaping import movedim
from .strides import unfold


def vector_norm(x: Tensor, ord: float = 2, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """``sum(abs(x) ** ord) ** (1 / ord)`` along dimensions; of order 0 the count of what is not zero, of inf and -inf
    the greatest and least absolute value (torch.linalg.vector_norm).

    The gradient is zero where the norm is zero; ties of order inf and -inf share it equally.
    """
    return o.norm(x, p=float(ord), dim=dims(x, dim), keepdim=keepdim)


def matrix_norm(A: Tensor, ord: float | str = "fro", dim: Axes = (-2, -1), keepdim: bool = False) -> Tensor:
    """Norms of matrices (torch.linalg.matrix_norm): "fro", "nuc", 2 and -2 by singular values, and the greatest and
    least sum of absolute values in a row (inf, -inf) or column (1, -1).

    Ties share the gradient; a singular value of zero has none.
    """
    # Both in normal form, because the dimension that is left depends on their order.
    rows, columns = dims(A, dim)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim)
    if ord not in ("nuc", 1, 2, -1, -2, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    matrices = movedim(A, (rows, columns), (-2, -1))
    if ord in ("nuc", 2, -2):
        values = o.svd_s(matrices)
        # A constant at zero, where singular values have no derivative.
        parts = o.where(o.gt(values, 0), values, 0.0)
    else:
        parts = o.sum(o.abs(matrices), dim=A.ndim - 2 if ord in (1, -1) else A.ndim - 1, keepdim=False)
    # The dimensions of the matrix are last now; the first reduction removed the other.
    end = A.ndim - 2
    if ord == "nuc":
        value = o.sum(parts, dim=end, keepdim=False)
    else:
        value = (o.amax if float(ord) > 0 else o.amin)(parts, dim=end, keepdim=False)
    if not keepdim:
        return value
    first, second = sorted((rows, columns))
    return o.unsqueeze(o.unsqueeze(value, dim=first), dim=second)


def norm(input: Tensor, p: Any = "fro", dim: Axes = None, keepdim: bool = False) -> Tensor:
    """The norm of all elements as a vector, or along dimensions: see `linalg.vector_norm` (torch.norm)."""
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The norm of the difference (torch.dist)."""
    return norm(input - other, p)


def _spread(primitive: Primitive, doc: str) -> Callable[..., Tensor]:
    def spread(input: Tensor, dim: Axes = None, keepdim: bool = False, *, correction: float = 1) -> Tensor:
        return primitive(input, dim=dims(input, dim), keepdim=keepdim, correction=correction)

    return documented(spread, primitive.name, doc)


var = _spread(
    o.var,
    "Squared distances from the mean, summed and divided by the count less `correction` (torch.var); NaN by zero.",
)
std = _spread(o.std, "The square root of the variance; its gradient is zero where all elements are equal (torch.std).")


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all rows of two; the gradient is zero at distance zero (torch.cdist)."""
    return vector_norm(o.sub(o.unsqueeze(x1, dim=-2), o.unsqueeze(x2, dim=-3)), p, -1)


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances of all pairs of rows; gradient zero at distance zero (torch.pdist)."""
    # Each pair of rows once, in PyTorch's order.
    first, second = np.triu_indices(input.shape[0], 1)
    return vector_norm(o.sub(o.index(input, index=(first,)), o.index(input, index=(second,))), p, -1)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: int | None = None) -> Tensor:
    """The p-norm of each window along the last dimension, with gradient zero where it is zero.

    Source: torch.nn.functional.lp_pool1d, of numbers that are not negative.
    """
    return vector_norm(unfold(input, -1, kernel_size, stride or kernel_size), norm_type, -1)
