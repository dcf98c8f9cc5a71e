"""Decompositions, solvers, determinants and inverses, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    **same("autograd.scipy.linalg", "expm sqrtm logm solve_triangular solve_sylvester toeplitz hankel circulant"),
    "eig": lambda autograd, x: tuple(autograd.numpy.linalg.eig(x)),
    "eigh": lambda autograd, x, UPLO="L": tuple(autograd.numpy.linalg.eigh(x, UPLO)),
    "svd": lambda autograd, x: tuple(autograd.numpy.linalg.svd(x)),
    "svd_of_tall": lambda autograd, x: tuple(autograd.numpy.linalg.svd(x, full_matrices=False)),
    "svd_of_wide": lambda autograd, x: tuple(autograd.numpy.linalg.svd(x, full_matrices=False)),
    "slogdet": lambda autograd, x: tuple(autograd.numpy.linalg.slogdet(x)),
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda autograd, x, mode: (
        (None, autograd.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(autograd.numpy.linalg.qr(x, mode))
    ),
    "lstsq": lambda autograd, a, b: autograd.numpy.linalg.lstsq(a, b, None)[0],
    "polar_decomposition": lambda autograd, x, side="right": tuple(autograd.scipy.linalg.polar(x, side)),
    "cond_of_norm": "autograd.numpy.linalg.cond",
    "pinv_of_rank": lambda autograd, x: autograd.numpy.linalg.pinv(x, 1e-4),
    "tensorinv_of_one": lambda autograd, x: autograd.numpy.linalg.tensorinv(x, 1),
    "solve_symmetric": lambda autograd, a, b: autograd.scipy.linalg.solve(a, b, assume_a="sym"),
    "solve_positive_definite": lambda autograd, a, b: autograd.scipy.linalg.solve(a, b, assume_a="pos"),
    "solve_unit_triangular": lambda autograd, a, b, lower=False: autograd.scipy.linalg.solve_triangular(
        a, b, lower=lower, unit_diagonal=True
    ),
    "solve_triangular_transposed": lambda autograd, a, b, trans, lower=False: autograd.scipy.linalg.solve_triangular(
        a, b, trans, lower
    ),
    "solve_banded": lambda autograd, ab, b: autograd.scipy.linalg.solve_banded((1, 1), ab, b),
    "vander_increasing": lambda autograd, x, N=None: autograd.numpy.vander(x, N, increasing=True),
    "vander": "autograd.numpy.vander",
}
