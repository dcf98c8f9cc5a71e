"""Cumulative operations along an axis, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

SCANS: Mapping[str, Spelling] = {
    "cumsum": lambda torch, x, axis=0: torch.cumsum(x, axis),
    "cumprod": lambda torch, x, axis=0: torch.cumprod(x, axis),
    "cummax": lambda torch, x, axis=0: torch.cummax(x, axis).values,
    "cummin": lambda torch, x, axis=0: torch.cummin(x, axis).values,
    "logcumsumexp": lambda torch, x, axis=0: torch.logcumsumexp(x, axis),
    "diff": lambda torch, x, n=1, axis=-1: torch.diff(x, n=n, dim=axis),
    "diff_with_ends": lambda torch, x, before, after: torch.diff(x, prepend=before, append=after),
    "gradient": lambda torch, x, spacing=1.0, axis=0: torch.gradient(x, spacing=spacing, dim=axis)[0],
    "gradient_at": lambda torch, x, coordinates: torch.gradient(x, spacing=(coordinates,))[0],
    "trapezoid": lambda torch, y, dx=1.0, axis=-1: torch.trapezoid(y, dx=dx, dim=axis),
    "trapezoid_at": "torch.trapezoid",
    "cumulative_trapezoid": lambda torch, y, dx=1.0, axis=-1: torch.cumulative_trapezoid(y, dx=dx, dim=axis),
    "cumulative_trapezoid_at": "torch.cumulative_trapezoid",
    "logcumsumexp_of_masked": lambda torch, x: torch.logcumsumexp(x, 0),
}
