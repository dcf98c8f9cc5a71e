"""Norms and distances, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

NORMS: Mapping[str, Spelling] = {
    "matrix_norm": "autograd.numpy.linalg.norm",
    "norm": lambda autograd, x, order: autograd.numpy.linalg.norm(autograd.numpy.ravel(x), order),
}
