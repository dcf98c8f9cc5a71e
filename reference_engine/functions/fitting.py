"""Equations that are solved as well as they can be."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import overridable, tensor_argument
from .creation import zeros
from .decomposing import pinverse, svdvals

__all__ = ["lstsq"]


class LeastSquares(NamedTuple):
    """What `lstsq` returns. There are residuals if there are more equations than unknowns, and they are independent."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


@overridable
def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> LeastSquares:
    """The X with the least ``norm(A @ X - B)``, of several the smallest (torch.linalg.lstsq).

    The derivative is that of ``pinv(A) @ B``, where the rank is constant. RuntimeError for shapes that do not fit.
    """
    x, y = tensor_argument("linalg.lstsq", A), tensor_argument("linalg.lstsq", B)
    is_vector = x.ndim > 1 and y.ndim == x.ndim - 1
    y = o.unsqueeze(y, dim=-1) if is_vector else y
    if x.ndim < 2 or y.ndim < 2 or x.shape[-2] != y.shape[-2]:
        raise RuntimeError(
            "torch.linalg.lstsq: input must be matrices, and other must have as many rows, but got shapes "
            f"{list(A.shape)} and {list(B.shape)}"
        )
    solution, (m, n) = o.bmm(pinverse(x, rcond), y), tuple(x.shape)[-2:]
    values = svdvals(x.detach())
    least = max(m, n) * np.finfo(x.array.dtype).eps if rcond is None else rcond
    rank = o.sum(o.gt(values, o.amax(values, dim=(-1,), keepdim=True) * least), dim=(-1,), keepdim=False)
    residuals: Any = zeros(0, dtype=values.dtype)
    if m > n and np.all(rank.memory == n):
        missed = o.sub(o.bmm(x, solution), y)
        residuals = o.sum(o.real(o.mul(missed, o.conj(missed))), dim=(-2,), keepdim=False)
    solution = o.squeeze(solution, dim=(-1,)) if is_vector else solution
    return LeastSquares(solution, residuals, rank, zeros(0, dtype=values.dtype))
