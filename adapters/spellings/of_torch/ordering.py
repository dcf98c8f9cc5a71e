"""Sorting, ranking and searching, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ORDERING: Mapping[str, Spelling] = {
    **same("torch", "argmax argsort nonzero searchsorted msort"),
    "sort": lambda torch, x: torch.sort(x).values,
    "sort_along_axis": lambda torch, x, axis: torch.sort(x, dim=axis).values,
    "sort_descending": lambda torch, x, axis=-1: torch.sort(x, dim=axis, descending=True).values,
    "sort_with_indices": lambda torch, x, axis=-1: tuple(torch.sort(x, dim=axis)),
    "max_with_index": lambda torch, x, axis=0, keepdims=False: tuple(torch.max(x, dim=axis, keepdim=keepdims)),
    "min_with_index": lambda torch, x, axis=0, keepdims=False: tuple(torch.min(x, dim=axis, keepdim=keepdims)),
    "median_with_index": lambda torch, x, axis=0, keepdims=False: tuple(torch.median(x, dim=axis, keepdim=keepdims)),
    "topk": lambda torch, x, k, axis=-1: tuple(torch.topk(x, k, dim=axis)),
    "topk_smallest": lambda torch, x, k, axis=-1: tuple(torch.topk(x, k, dim=axis, largest=False)),
    "kthvalue": lambda torch, x, k, axis=-1, keepdims=False: torch.kthvalue(x, k, dim=axis, keepdim=keepdims).values,
    "mode": lambda torch, x: torch.mode(x).values,
}
