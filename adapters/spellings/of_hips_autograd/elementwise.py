"""Elementwise functions of real numbers, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ELEMENTWISE: Mapping[str, Spelling] = {
    "reciprocal": lambda autograd, x: 1 / x,
    "rsqrt": lambda autograd, x: 1 / autograd.numpy.sqrt(x),
}
