"""Functions along dimensions: sums, extremes, running sums, softmax."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable

from .. import primitives as o
from ..core.aliases import Axes
from ..core.primitive import Primitive
from ..core.tensor import Tensor
from .call_forms import dims, documented, filled, one_dim


def _along(primitive: Primitive, doc: str, normal: Callable[..., Axes] = dims) -> Callable[..., Tensor]:
    """A reduction of everything or along dimensions, which `normal` brings into normal form."""

    def reduction(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
        return primitive(input, dim=normal(input, dim), keepdim=keepdim)

    return documented(reduction, primitive.name, doc)


def _running(primitive: Primitive, doc: str) -> Callable[[Tensor, int], Tensor]:
    """A scan: a function along a dimension that keeps the shape."""

    def running(input: Tensor, dim: int) -> Tensor:
        return primitive(input, dim=one_dim(input.ndim, dim))

    return documented(running, primitive.name, doc)


def mean(input: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    """The mean; RuntimeError for integers, whose mean is no integer (torch.mean)."""
    if not input.dtype.differentiable:
        raise RuntimeError(f"mean(): the input must be floating or complex, but got {input.dtype}: convert it first")
    return o.mean(input, dim=dims(input, dim), keepdim=keepdim)


def count_nonzero(input: Tensor, dim: Axes = None) -> Tensor:
    """Number of elements that are not zero, of all or along dimensions (torch.count_nonzero)."""
    return sum(o.ne(input, 0), dim)


sum = _along(o.sum, "The sum of all elements, or along dimensions; integers add up as int64 (torch.sum).")
prod = _along(o.prod, "The product of all elements, or along a dimension; integers multiply as int64 (torch.prod).")
amax = _along(o.amax, "The maximum along dimensions; ties share the gradient equally (torch.amax).", filled)
amin = _along(o.amin, "The minimum along dimensions; ties share the gradient equally (torch.amin).", filled)
logsumexp = _along(o.logsumexp, "``log(sum(exp(x)))`` along dimensions, without overflow (torch.logsumexp).")
cumsum = _running(o.cumsum, "The running sum along a dimension (torch.cumsum).")
cumprod = _running(o.cumprod, "The running product along a dimension, with a gradient at zeros too (torch.cumprod).")
softmax = _running(o.softmax, "``exp(x)``, divided by the sum along a dimension (torch.softmax).")
log_softmax = _running(o.log_softmax, "The logarithm of softmax, computed without overflow (torch.log_softmax).")
