"""Special functions (torch.special), most of them made of a few primitives."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import one_dim


def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of `digamma` (torch.polygamma). RuntimeError for a negative n."""
    if n < 0:
        raise RuntimeError(f"polygamma(n, x) does not support negative n, but got {n}")
    return o.polygamma(input, n=n)


def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma`; infinite at zero, NaN at negative integers (torch.digamma)."""
    return o.polygamma(input, n=0)


def xlog1py(input: Any, other: Any) -> Tensor:
    """``x * log1p(y)``, and zero where x is zero, unless y is NaN (torch.special.xlog1py)."""
    return o.xlogy(input, o.add(other, 1) if isinstance(other, Tensor) else other + 1)


def ndtr(input: Tensor) -> Tensor:
    """The area under the normal density up to x (torch.special.ndtr)."""
    return o.mul(o.erfc(o.mul(input, -math.sqrt(0.5))), 0.5)


def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """The running ``log(sum(exp(x)))`` along a dimension (torch.logcumsumexp)."""
    dim = one_dim(input.ndim, dim)
    return o.logcumsumexp(input, dim=dim) if input.array.size else o.clone(input)
