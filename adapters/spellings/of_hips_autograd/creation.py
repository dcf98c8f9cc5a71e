"""Making arrays, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

CREATION: Mapping[str, Spelling] = {
    "zeros": lambda autograd, shape: autograd.numpy.zeros(shape, dtype="float64"),
    "eye": lambda autograd, n: autograd.numpy.eye(n, dtype="float64"),
    "full": lambda autograd, value, shape: autograd.numpy.full(shape, value),
    **same("autograd.numpy", "linspace logspace geomspace"),
}
