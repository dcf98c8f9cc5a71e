"""Special functions (torch.special), most of them made of a few primitives."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from .. import primitives as o
from ..core.tensor import Tensor


def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of `digamma` (torch.polygamma)."""
    return o.polygamma(input, n=n)


def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma`; infinite at zero, NaN at negative integers (torch.digamma)."""
    return o.polygamma(input, n=0)
