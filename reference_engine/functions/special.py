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


def xlogy(input: Tensor, other: Tensor) -> Tensor:
    """``input * log(other)``, and zero for an input of zero (torch.special.xlogy); at (0, 0) with gradient zero."""
    defined = o.logical_or(o.ne(input, 0), o.gt(other, 0))
    return o.mul(input, o.log(o.where(defined, other, 1.0)))


def xlog1py(input: Tensor, other: Tensor) -> Tensor:
    """``input * log(1 + other)``, and zero for an input of zero (torch.special.xlog1py)."""
    return xlogy(input, o.add(other, 1))
