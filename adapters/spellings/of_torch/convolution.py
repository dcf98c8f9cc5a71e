"""Convolution and pooling, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

CONVOLUTION: Mapping[str, Spelling] = {
    **same("torch.nn.functional", "lp_pool1d"),
}
