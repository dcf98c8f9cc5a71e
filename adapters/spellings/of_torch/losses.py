"""Losses, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

LOSSES: Mapping[str, Spelling] = {
    **same("torch.nn.functional", "l1_loss smooth_l1_loss huber_loss binary_cross_entropy"),
    "gaussian_nll_loss": lambda torch, x, target, var, eps: torch.nn.functional.gaussian_nll_loss(
        x, target, var, eps=eps
    ),
    "cross_entropy": lambda torch, x, target, ignore_index: torch.nn.functional.cross_entropy(
        x, target, ignore_index=ignore_index
    ),
}
