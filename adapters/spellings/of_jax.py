"""The operations under JAX's names: NumPy's, SciPy's, and those of `jax.nn` and `jax.lax`."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.of_numpy import numpy_like
from conformance.protocol import Spelling, same

SPELLINGS: Mapping[str, Spelling] = {
    **numpy_like("jax.numpy"),
    **same("jax.nn", "softplus relu relu6 leaky_relu sigmoid softmax log_softmax logsumexp"),
    **same("jax.scipy.special", "digamma spence"),
    "hardtanh": "jax.nn.hard_tanh",
    "hardsigmoid": "jax.nn.hard_sigmoid",
    "matrix_norm": "jax.numpy.linalg.matrix_norm",
    "reciprocal": lambda jax, x: 1 / x,
    "rsqrt": lambda jax, x: 1 / jax.numpy.sqrt(x),
    # The Hurwitz zeta function has no derivative rule by its first argument.
    "underived": lambda jax, x: jax.lax.zeta(x, jax.numpy.ones_like(x)),
    "zeros": lambda jax, shape: jax.numpy.zeros(shape, dtype="float64"),
    "eye": lambda jax, n: jax.numpy.eye(n, dtype="float64"),
    "std": lambda jax, x: jax.numpy.std(x, ddof=1),  # n - 1, as PyTorch
    "cumsum": lambda jax, x: jax.numpy.cumsum(x, 0),
    "cumprod": lambda jax, x: jax.numpy.cumprod(x, 0),
    "norm": lambda jax, x, order: jax.numpy.linalg.vector_norm(x, ord=order),
    "nonzero": lambda jax, x: jax.numpy.nonzero(x)[0],
    "mode": lambda jax, x: jax.scipy.stats.mode(x).mode,
    # Plain tuples from here on: a cotangent has the container that the program returned.
    "unstack": lambda jax, x: tuple(jax.numpy.unstack(x)),
    "topk": lambda jax, x, k: tuple(jax.lax.top_k(x, k)),
    # Derivatives of these eigenvectors are asked for, as JAX cannot check that the eigenvalues are distinct.
    "eig": lambda jax, x: tuple(jax.lax.linalg.eig(x, compute_left_eigenvectors=False, enable_eigvec_derivs=True)),
    "eigh": lambda jax, x: tuple(jax.numpy.linalg.eigh(x)),
    "svd": lambda jax, x: tuple(jax.numpy.linalg.svd(x)),
    "slogdet": lambda jax, x: tuple(jax.numpy.linalg.slogdet(x)),
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda jax, x, mode: (
        (None, jax.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(jax.numpy.linalg.qr(x, mode))
    ),
}
