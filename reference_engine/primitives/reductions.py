"""Operations along dimensions. `dim` is an integer, a tuple of integers or None (all); `keepdim` keeps sizes of one."""

import numpy as np

from ..core.primitive import Primitive


def _reduction(function):  # type: ignore[no-untyped-def]
    """A NumPy reduction, under PyTorch's option names."""
    return lambda x, dim=None, keepdim=False: function(x, axis=dim, keepdims=keepdim)


sum = Primitive("sum", _reduction(np.sum))
mean = Primitive("mean", _reduction(np.mean))
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


def _logsumexp(x, dim, keepdim):  # type: ignore[no-untyped-def]
    top = np.max(x, axis=dim, keepdims=True)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.sum(np.exp(x - top), axis=dim, keepdims=True)) + top
    return total if keepdim else np.squeeze(total, axis=dim)


def _softmax(x, dim):  # type: ignore[no-untyped-def]
    e = np.exp(x - np.max(x, axis=dim, keepdims=True))
    return e / np.sum(e, axis=dim, keepdims=True)


def _log_softmax(x, dim):  # type: ignore[no-untyped-def]
    return x - _logsumexp(x, dim, True)


def _norm(x, dim, keepdim):  # type: ignore[no-untyped-def]
    return np.sqrt(np.sum(np.real(x * np.conj(x)), axis=dim, keepdims=keepdim))


logsumexp = Primitive("logsumexp", _logsumexp, promotes="float")
softmax = Primitive("softmax", _softmax, promotes="float")
log_softmax = Primitive("log_softmax", _log_softmax, promotes="float")
norm = Primitive("norm", _norm, node="LinalgVectorNormBackward0")
