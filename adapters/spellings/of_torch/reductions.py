"""Reductions of an array, or of one of its axes, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

REDUCTIONS: Mapping[str, Spelling] = {
    **same("torch", "sum mean prod std max min amax amin count_nonzero"),
    "logsumexp": lambda torch, x: torch.logsumexp(x, 0),
}
