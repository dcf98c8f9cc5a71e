"""Reductions of an array, or of one of its axes, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _levels(torch: Any, q: Any, x: Any) -> Any:
    """One level is a number, several are a tensor of the same dtype."""
    return torch.tensor(q, dtype=x.dtype) if isinstance(q, list) else q


REDUCTIONS: Mapping[str, Spelling] = {
    "sum": lambda torch, x, axis=None, keepdims=False: torch.sum(x, dim=axis, keepdim=keepdims),
    "mean": lambda torch, x, axis=None, keepdims=False: torch.mean(x, dim=axis, keepdim=keepdims),
    "nansum": lambda torch, x, axis=None, keepdims=False: torch.nansum(x, dim=axis, keepdim=keepdims),
    "nanmean": lambda torch, x, axis=None, keepdims=False: torch.nanmean(x, dim=axis, keepdim=keepdims),
    "prod": lambda torch, x, axis=None, keepdims=False: (
        torch.prod(x) if axis is None else torch.prod(x, dim=axis, keepdim=keepdims)
    ),
    "prod_along_axis": lambda torch, x, axis: torch.prod(x, dim=axis),
    "count_nonzero": "torch.count_nonzero",
    "std": lambda torch, x, axis=None, keepdims=False, ddof=1: torch.std(
        x, dim=axis, keepdim=keepdims, correction=ddof
    ),
    "std_of_one_element": lambda torch, x: x + torch.std(x, -1, correction=0, keepdim=True),
    "std_mean": lambda torch, x, axis=None, keepdims=False, ddof=1: torch.std_mean(
        x, dim=axis, keepdim=keepdims, correction=ddof
    ),
    "var": lambda torch, x, axis=None, keepdims=False, ddof=1: torch.var(
        x, dim=axis, keepdim=keepdims, correction=ddof
    ),
    "var_mean": lambda torch, x, axis=None, keepdims=False, ddof=1: torch.var_mean(
        x, dim=axis, keepdim=keepdims, correction=ddof
    ),
    "cov": lambda torch, x, ddof=1: torch.cov(x, correction=ddof),
    "corrcoef": "torch.corrcoef",
    "max": "torch.max",
    "min": "torch.min",
    "amax": lambda torch, x, axis, keepdims=False: torch.amax(x, dim=axis, keepdim=keepdims),
    "amin": lambda torch, x, axis, keepdims=False: torch.amin(x, dim=axis, keepdim=keepdims),
    "aminmax": lambda torch, x, axis=None, keepdims=False: tuple(torch.aminmax(x, dim=axis, keepdim=keepdims)),
    "median": lambda torch, x, axis=None, keepdims=False: (
        torch.median(x) if axis is None else torch.median(x, dim=axis, keepdim=keepdims).values
    ),
    "nanmedian": lambda torch, x, axis=None, keepdims=False: (
        torch.nanmedian(x) if axis is None else torch.nanmedian(x, dim=axis, keepdim=keepdims).values
    ),
    "quantile": lambda torch, x, q, axis=None, keepdims=False, method="linear": torch.quantile(
        x, _levels(torch, q, x), dim=axis, keepdim=keepdims, interpolation=method
    ),
    "nanquantile": lambda torch, x, q, axis=None, keepdims=False, method="linear": torch.nanquantile(
        x, _levels(torch, q, x), dim=axis, keepdim=keepdims, interpolation=method
    ),
    "quantile_of_levels": "torch.quantile",
    "logsumexp": lambda torch, x, axis=None, keepdims=False: torch.logsumexp(
        x, tuple(range(x.ndim)) if axis is None else axis, keepdim=keepdims
    ),
    "logsumexp_of_masked": lambda torch, x: torch.logsumexp(x, (0, 1)),
}
