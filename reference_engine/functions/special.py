"""Special functions (torch.special), most of them made of a few primitives."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..core.tensor import Tensor
from .calling import binary, one_dim, overridable, tensor_argument, unary

__all__ = [
    "digamma", "erfinv", "expit", "float_power", "gammainc", "gammaln", "ldexp", "lgamma", "logaddexp2",
    "logcumsumexp", "multigammaln", "mvlgamma", "ndtr", "polygamma", "psi", "xlog1py",
]  # fmt: skip

lgamma, erfinv = map(unary, (o.lgamma, o.erfinv))
gammaln, expit = lgamma, unary(o.sigmoid)
gammainc = binary(o.gammainc)


@overridable
def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of `digamma` (torch.polygamma). RuntimeError for a negative n."""
    if n < 0:
        raise RuntimeError(f"polygamma(n, x) does not support negative n, but got {n}")
    return o.polygamma(tensor_argument("polygamma", input), n=n)


@overridable
def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma`; infinite at zero, NaN at negative integers (torch.digamma)."""
    return o.polygamma(tensor_argument("digamma", input), n=0)


psi = digamma


@overridable
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension p (torch.mvlgamma)."""
    total: Any = p * (p - 1) / 4 * math.log(math.pi)
    for i in range(p):
        total = o.lgamma(o.sub(input, i / 2)) + total
    return total


multigammaln = mvlgamma


@overridable
def xlog1py(input: Any, other: Any) -> Tensor:
    """``x * log1p(y)``, and zero where x is zero, unless y is NaN (torch.special.xlog1py)."""
    return o.xlogy(input, o.add(other, 1) if isinstance(other, Tensor) else other + 1)


@overridable
def ndtr(input: Tensor) -> Tensor:
    """The area under the normal density up to x (torch.special.ndtr)."""
    return o.mul(o.erfc(o.mul(input, -math.sqrt(0.5))), 0.5)


@overridable
def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """``log2(2 ** x + 2 ** y)``, without overflow (torch.logaddexp2)."""
    scale = math.log(2)
    return o.div(o.logaddexp(o.mul(input, scale), o.mul(other, scale)), scale)


@overridable
def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """The running ``log(sum(exp(x)))`` along a dimension (torch.logcumsumexp)."""
    dim = one_dim(input.ndim, dim)
    return o.logcumsumexp(input, dim=dim) if input.array.size else o.clone(input)


@overridable
def ldexp(input: Tensor, other: Any) -> Tensor:
    """``x * 2 ** y`` (torch.ldexp)."""
    return o.mul(input, o.pow(2.0, other))


@overridable
def float_power(input: Any, exponent: Any) -> Tensor:
    """A power, computed in double precision (torch.float_power)."""
    double = [o.cast(v, dtype=_double(v)) if isinstance(v, Tensor) else v for v in (input, exponent)]
    return o.pow(*double)


def _double(x: Tensor) -> Any:
    return np.dtype(np.complex128 if x.dtype.is_complex else np.float64)
