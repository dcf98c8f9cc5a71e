"""The operations under HIPS autograd's names: NumPy's and SciPy's, wrapped, and some that its examples write out."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.of_numpy import numpy_like
from conformance.protocol import Spelling, same

SPELLINGS: Mapping[str, Spelling] = {
    **numpy_like("autograd.numpy"),
    **same("autograd.scipy.special", "digamma logsumexp"),
    "sigmoid": "autograd.scipy.special.expit",
    "matrix_norm": "autograd.numpy.linalg.norm",
    "underived": "autograd.numpy.cbrt",
    "relu": lambda autograd, x: autograd.numpy.maximum(x, 0.0),
    "softplus": lambda autograd, x: autograd.numpy.logaddexp(x, 0.0),
    "softmax": lambda autograd, x: autograd.numpy.exp(x - autograd.scipy.special.logsumexp(x)),
    "log_softmax": lambda autograd, x: x - autograd.scipy.special.logsumexp(x),
    "reciprocal": lambda autograd, x: 1 / x,
    "rsqrt": lambda autograd, x: 1 / autograd.numpy.sqrt(x),
    "zeros": lambda autograd, shape: autograd.numpy.zeros(shape, dtype="float64"),
    "eye": lambda autograd, n: autograd.numpy.eye(n, dtype="float64"),
    "std": lambda autograd, x: autograd.numpy.std(x, ddof=1),
    "cumsum": lambda autograd, x: autograd.numpy.cumsum(x, 0),
    "cumprod": lambda autograd, x: autograd.numpy.cumprod(x, 0),
    "norm": lambda autograd, x, order: autograd.numpy.linalg.norm(autograd.numpy.ravel(x), order),
    "nonzero": lambda autograd, x: autograd.numpy.nonzero(x)[0],
    # Indexing is the operation that has a derivative.
    "unstack": lambda autograd, x: tuple(x[place] for place in range(x.shape[0])),
    "eig": lambda autograd, x: tuple(autograd.numpy.linalg.eig(x)),
    "eigh": lambda autograd, x: tuple(autograd.numpy.linalg.eigh(x)),
    "svd": lambda autograd, x: tuple(autograd.numpy.linalg.svd(x)),
    "slogdet": lambda autograd, x: tuple(autograd.numpy.linalg.slogdet(x)),
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda autograd, x, mode: (
        (None, autograd.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(autograd.numpy.linalg.qr(x, mode))
    ),
}
