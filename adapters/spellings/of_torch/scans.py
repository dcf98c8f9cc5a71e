"""Cumulative operations along an axis, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda torch, x: torch.cumsum(x, 0),
    "cumprod": lambda torch, x: torch.cumprod(x, 0),
}
