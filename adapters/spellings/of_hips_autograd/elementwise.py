"""Elementwise functions of one real number, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ELEMENTWISE: Mapping[str, Spelling] = {
    "rsqrt": lambda autograd, x: 1 / autograd.numpy.sqrt(x),
    "pow_of_base": lambda autograd, x, base: autograd.numpy.power(base, x),
    "clip_by_numbers": lambda autograd, x, lowest=None, highest=None: autograd.numpy.clip(x, lowest, highest),
}
