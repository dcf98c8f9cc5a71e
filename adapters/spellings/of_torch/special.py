"""Special functions: gamma, beta, error and Bessel functions, and their kin, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    **same("torch", "sinc digamma"),
    # The incomplete gamma function has no derivative in its first argument.
    "underived": lambda torch, x: torch.special.gammainc(x, torch.ones_like(x)),
}
