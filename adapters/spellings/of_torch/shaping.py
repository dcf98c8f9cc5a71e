"""Changing the shape of arrays, joining and splitting them, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SHAPING: Mapping[str, Spelling] = {
    **same("torch", "reshape broadcast_to stack"),
    "concat": "torch.cat",
    "unstack": "torch.unbind",
    "transpose": lambda torch, x: torch.transpose(x, 0, 1),
}
