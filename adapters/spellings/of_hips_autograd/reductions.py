"""Reductions of an array, or of one of its axes, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

REDUCTIONS: Mapping[str, Spelling] = {
    **same("autograd.scipy.special", "logsumexp"),
    "std": lambda autograd, x: autograd.numpy.std(x, ddof=1),
}
