"""Norms and distances, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

NORMS: Mapping[str, Spelling] = {
    "matrix_norm": "autograd.numpy.linalg.norm",
    "norm": lambda autograd, x, order: autograd.numpy.linalg.norm(autograd.numpy.ravel(x), order),
    "vector_norm": lambda autograd, x, ord=2, axis=None, keepdims=False: autograd.numpy.linalg.vector_norm(
        x, ord=ord, axis=axis, keepdims=keepdims
    ),
    "one_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 1),
    "max_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, float("inf")),
    "min_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, -float("inf")),
    "harmonic_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, -1),
    "half_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 0.5),
    "zero_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 0),
    "cubic_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 3),
    "quartic_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 4),
    "nuclear_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, "nuc"),
    "spectral_norm": lambda autograd, x: autograd.numpy.linalg.norm(x, 2),
    "matrix_norm_of_order": "autograd.numpy.linalg.norm",
}
