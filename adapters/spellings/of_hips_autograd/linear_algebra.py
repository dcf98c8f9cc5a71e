"""Decompositions, solvers, determinants and inverses, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

LINEAR_ALGEBRA: Mapping[str, Spelling] = {
    "eig": lambda autograd, x: tuple(autograd.numpy.linalg.eig(x)),
    "eigh": lambda autograd, x: tuple(autograd.numpy.linalg.eigh(x)),
    "svd": lambda autograd, x: tuple(autograd.numpy.linalg.svd(x)),
    "slogdet": lambda autograd, x: tuple(autograd.numpy.linalg.slogdet(x)),
    # With mode "r", NumPy's qr returns R alone.
    "qr": lambda autograd, x, mode: (
        (None, autograd.numpy.linalg.qr(x, mode)) if mode == "r" else tuple(autograd.numpy.linalg.qr(x, mode))
    ),
}
