"""Convolution and pooling, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

CONVOLUTION: Mapping[str, Spelling] = {
    "convolve2d": lambda autograd, x, y, mode="full": autograd.scipy.signal.convolve(x, y, mode=mode)
}
