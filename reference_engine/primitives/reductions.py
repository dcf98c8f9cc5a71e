"""Operations along dimensions. `dim` is an integer, a tuple of integers or None (all); `keepdim` keeps sizes of 1."""

from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import Primitive
from .kinds import COUNTED, ORDERED, in_rows, only

__all__ = [
    "amax", "amin", "argmax", "cumprod", "cumsum", "log_softmax", "logsumexp", "max_all", "mean", "min_all", "norm",
    "prod", "softmax", "std", "sum", "var",
]  # fmt: skip


def _reduction(function: Any) -> Any:
    """A NumPy reduction, under PyTorch's option names."""
    return lambda x, dim=None, keepdim=False: function(x, axis=dim, keepdims=keepdim)


def _whole(function: Any) -> Any:
    """The same with integers and booleans counted in int64, as sums and products do."""
    return lambda x, **options: function(x.astype(np.int64) if x.dtype.kind in "biu" else x, **options)


def _numbered(name: Any) -> Any:
    """The node's name: PyTorch has a node for reductions over everything, and another for those along dimensions."""
    return lambda options: f"{name}Backward{0 if options.get('dim') is None else 1}"


def _mean(x: Array, dim: Any = None, keepdim: bool = False) -> Any:
    # Of nothing 0 / 0, which is NaN, and no warning of NumPy's.
    total = np.sum(x, axis=dim, keepdims=keepdim)
    return np.true_divide(total, np.asarray(x.size / total.size if total.size else 1, total.dtype))


sum = Primitive("sum", _whole(_reduction(np.sum)), node=_numbered("Sum"))
mean = Primitive("mean", _mean, node=_numbered("Mean"))
prod = Primitive("prod", _whole(_reduction(np.prod)), node=_numbered("Prod"))
amax = Primitive("amax", only(ORDERED, _reduction(np.max)))
amin = Primitive("amin", only(ORDERED, _reduction(np.min)))
max_all = Primitive("max_all", only(ORDERED, lambda x: np.max(x)), node="MaxBackward1")
min_all = Primitive("min_all", only(ORDERED, lambda x: np.min(x)), node="MinBackward1")
argmax = Primitive("argmax", only(COUNTED, _reduction(np.argmax)))
cumsum = Primitive("cumsum", in_rows(_whole(lambda x, dim: np.cumsum(x, axis=dim).reshape(x.shape))))
cumprod = Primitive("cumprod", in_rows(_whole(lambda x, dim: np.cumprod(x, axis=dim).reshape(x.shape))))


def _logsumexp(x: Array, dim: Any, keepdim: Any) -> Any:
    top = np.max(x, axis=dim, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.sum(np.exp(x - top), axis=dim, keepdims=True)) + top
    return total if keepdim else np.squeeze(total, axis=dim)


def _softmax(x: Array, dim: Any) -> Any:
    e = np.exp(x - np.max(x, axis=dim, keepdims=True, initial=-np.inf))
    return e / np.sum(e, axis=dim, keepdims=True)


def _log_softmax(x: Array, dim: Any) -> Any:
    below = x - np.max(x, axis=dim, keepdims=True, initial=-np.inf)
    return below - np.log(np.sum(np.exp(below), axis=dim, keepdims=True))


def _var(x: Array, dim: Any, keepdim: Any, correction: Any) -> Any:
    away = x - _mean(x, dim, True)
    total = np.sum(np.real(away * np.conj(away)), axis=dim, keepdims=keepdim)
    return total / np.asarray(max(x.size // max(total.size, 1) - correction, 0), total.dtype)


def _norm(x: Array, p: Any, dim: Any, keepdim: Any) -> Any:
    if p == 2:
        return np.sqrt(np.sum(np.real(x * np.conj(x)), axis=dim, keepdims=keepdim))
    size = np.abs(x)
    if p in (0, 1):
        return np.sum(size if p else size != 0, axis=dim, keepdims=keepdim, dtype=size.dtype)
    if np.isinf(p):
        return (np.max if p > 0 else np.min)(size, axis=dim, keepdims=keepdim)
    return np.sum(size**p, axis=dim, keepdims=keepdim) ** (1 / p)


logsumexp = Primitive("logsumexp", _logsumexp, promotes="float")
softmax = Primitive("softmax", in_rows(only("f", _softmax)))
log_softmax = Primitive("log_softmax", in_rows(only("f", _log_softmax)))
var = Primitive("var", only("fc", _var))
std = Primitive("std", only("fc", lambda x, dim, keepdim, correction: np.sqrt(_var(x, dim, keepdim, correction))))
norm = Primitive("norm", only("fc", _norm), node="LinalgVectorNormBackward0")
