"""Random choices with given probabilities. None of them has a derivative: where one is asked for, it is zero."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import overridable
from .ordering import topk
from .random import rand

__all__ = ["bernoulli", "multinomial"]


@overridable
def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """One with the probability that an element says, else zero (torch.bernoulli). RuntimeError outside of [0, 1]."""
    _check("bernoulli", input, "is not between 0 and 1", lambda p: (p >= 0) & (p <= 1))
    ones = o.lt(rand(tuple(input.shape), dtype=input.dtype, generator=generator), input.detach())
    return o.add(o.floor(o.mul(input, 0.0)), ones)


@overridable
def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """So many places in each row, drawn by the row's weights, not in PyTorch's sequence (torch.multinomial).

    RuntimeError for weights that are negative or infinite, or where too few are left to draw from.
    """
    _check("multinomial", input, "is infinite, NaN or less than 0", lambda p: np.isfinite(p) & (p >= 0))
    weights = input.detach()
    _check("multinomial", o.sum(weights, dim=(-1,), keepdim=False), "is the sum of a row", lambda total: total > 0)
    if replacement:
        shares = o.cumsum(weights / o.sum(weights, dim=(-1,), keepdim=True), dim=weights.ndim - 1)
        at = rand((*input.shape[:-1], num_samples, 1), dtype=input.dtype, generator=generator)
        passed = o.ge(at, o.unsqueeze(o.slice(shares, index=(..., slice(None, -1))), dim=-2))
        return o.sum(passed, dim=(-1,), keepdim=False)
    some = o.sum(o.gt(weights, 0), dim=(-1,), keepdim=False)
    _check("multinomial", some, f"is fewer than the {num_samples} samples of a row", lambda n: n >= num_samples)
    # Of clocks that ring at rates given by the weights, the first to ring.
    clocks = o.log(o.sub(1, rand(tuple(input.shape), dtype=input.dtype, generator=generator))) / weights
    return topk(clocks, num_samples, -1).indices


def _check(name: str, values: Tensor, what: str, holds: Any) -> None:
    array = values.memory
    wrong = array[~holds(array)]
    if wrong.size:
        raise RuntimeError(f"{name}: a probability, weight or number of them {what}: {wrong.flat[0]}")
