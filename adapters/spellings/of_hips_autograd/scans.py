"""Cumulative operations along an axis, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda autograd, x, axis=0: autograd.numpy.cumsum(x, axis),
    "cumprod": lambda autograd, x, axis=0: autograd.numpy.cumprod(x, axis),
    # The signatures of these functions do not name their options.
    "cumulative_sum": lambda autograd, x, axis=0, include_initial=False: autograd.numpy.cumulative_sum(
        x, axis=axis, include_initial=include_initial
    ),
    "cumulative_prod": lambda autograd, x, axis=0, include_initial=False: autograd.numpy.cumulative_prod(
        x, axis=axis, include_initial=include_initial
    ),
    "nancumsum": lambda autograd, x, axis=0: autograd.numpy.nancumsum(x, axis=axis),
    "nancumprod": lambda autograd, x, axis=0: autograd.numpy.nancumprod(x, axis=axis),
    "diff": lambda autograd, x, n=1, axis=-1: autograd.numpy.diff(x, n=n, axis=axis),
    "diff_with_ends": lambda autograd, x, before, after: autograd.numpy.diff(x, prepend=before, append=after),
    "gradient": lambda autograd, x, spacing=1.0, axis=0: autograd.numpy.gradient(x, spacing, axis=axis),
    "gradient_at": "autograd.numpy.gradient",
    "trapezoid_at": "autograd.numpy.trapezoid",
}
