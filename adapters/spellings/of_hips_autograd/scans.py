"""Cumulative operations along an axis, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda autograd, x, axis=0: autograd.numpy.cumsum(x, axis),
    "cumprod": lambda autograd, x, axis=0: autograd.numpy.cumprod(x, axis),
    "diff_with_ends": lambda autograd, x, before, after: autograd.numpy.diff(x, prepend=before, append=after),
    "gradient": lambda autograd, x, spacing=1.0, axis=0: autograd.numpy.gradient(x, spacing, axis=axis),
    "gradient_at": "autograd.numpy.gradient",
    "trapezoid_at": "autograd.numpy.trapezoid",
}
