"""Sorting, ranking and searching, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ORDERING: Mapping[str, Spelling] = {
    **same("torch", "argmax argsort nonzero searchsorted"),
    "sort": lambda torch, x: torch.sort(x).values,
    "kthvalue": lambda torch, x, k: torch.kthvalue(x, k).values,
    "mode": lambda torch, x: torch.mode(x).values,
    "sort_with_indices": lambda torch, x: tuple(torch.sort(x)),
    "max_with_index": lambda torch, x: tuple(torch.max(x, dim=0)),
    "topk": lambda torch, x, k: tuple(torch.topk(x, k)),
}
