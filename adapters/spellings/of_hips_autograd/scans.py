"""Cumulative operations along an axis, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda autograd, x: autograd.numpy.cumsum(x, 0),
    "cumprod": lambda autograd, x: autograd.numpy.cumprod(x, 0),
}
