"""Operations along dimensions. `dim` is an integer, a tuple of integers or None (all); `keepdim` keeps sizes of one."""

from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..core.primitive import Primitive

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "cumsum", "log_softmax", "logsumexp", "max_all",
    "mean", "min_all", "norm", "prod", "softmax", "sum",
]  # fmt: skip


def _reduction(function: Any) -> Any:
    """A NumPy reduction, under PyTorch's option names."""
    return lambda x, dim=None, keepdim=False: function(x, axis=dim, keepdims=keepdim)


def _numbered(name: Any) -> Any:
    """PyTorch has one node for reductions over everything, and another for reductions along dimensions."""
    return lambda options: f"{name}Backward{0 if options.get('dim') is None else 1}"


sum = Primitive("sum", _reduction(np.sum), node=_numbered("Sum"))
mean = Primitive("mean", _reduction(np.mean), node=_numbered("Mean"))
prod = Primitive("prod", _reduction(np.prod))
amax = Primitive("amax", _reduction(np.max))
amin = Primitive("amin", _reduction(np.min))
max_all = Primitive("max_all", lambda x: np.max(x), node="MaxBackward1")
min_all = Primitive("min_all", lambda x: np.min(x), node="MinBackward1")
any = Primitive("any", _reduction(np.any))
all = Primitive("all", _reduction(np.all))
argmax = Primitive("argmax", _reduction(np.argmax))
argmin = Primitive("argmin", _reduction(np.argmin))
cumsum = Primitive("cumsum", lambda x, dim: np.cumsum(x, axis=dim))


def _logsumexp(x: Array, dim: Any, keepdim: Any) -> Any:
    top = np.max(x, axis=dim, keepdims=True)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.sum(np.exp(x - top), axis=dim, keepdims=True)) + top
    return total if keepdim else np.squeeze(total, axis=dim)


def _softmax(x: Array, dim: Any) -> Any:
    e = np.exp(x - np.max(x, axis=dim, keepdims=True))
    return e / np.sum(e, axis=dim, keepdims=True)


def _log_softmax(x: Array, dim: Any) -> Any:
    return x - _logsumexp(x, dim, True)


def _norm(x: Array, dim: Any, keepdim: Any) -> Any:
    return np.sqrt(np.sum(np.real(x * np.conj(x)), axis=dim, keepdims=keepdim))


logsumexp = Primitive("logsumexp", _logsumexp, promotes="float")
softmax = Primitive("softmax", _softmax, promotes="float")
log_softmax = Primitive("log_softmax", _log_softmax, promotes="float")
norm = Primitive("norm", _norm, node="LinalgVectorNormBackward0")
