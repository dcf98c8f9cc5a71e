"""Taking elements by index, and writing them, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.spellings.brackets import BRACKETS
from conformance.protocol import Spelling, same


def _index_reduced(reduce: str, *, anew: bool = False) -> Spelling:
    return lambda torch, x, indices, source: torch.index_reduce(x, 0, indices, source, reduce, include_self=not anew)


def _scatter_reduced(reduce: str, *, anew: bool = False) -> Spelling:
    return lambda torch, x, indices, source: torch.scatter_reduce(x, 0, indices, source, reduce, include_self=not anew)


def _slice_scattered(torch: Any, x: Any, source: Any, axis: int, start: int, end: int, step: int = 1) -> Any:
    return torch.slice_scatter(x, source, axis, start, end, step)


INDEXING: Mapping[str, Spelling] = {
    **BRACKETS,
    **same("torch", "take masked_select index_put masked_fill masked_scatter select_scatter diagonal_scatter"),
    **same("torch.nn.functional", "embedding"),
    # Taking.
    "take_along_axis": "torch.take_along_dim",
    "gather": lambda torch, x, indices, axis: torch.gather(x, axis, indices),
    "index_select": lambda torch, x, indices, axis: torch.index_select(x, axis, indices),
    "embedding_bag": lambda torch, indices, table, offsets, mode: torch.nn.functional.embedding_bag(
        indices, table, offsets, mode=mode
    ),
    "embedding_bag_weighted": lambda torch, indices, table, offsets, weights: torch.nn.functional.embedding_bag(
        indices, table, offsets, mode="sum", per_sample_weights=weights
    ),
    "embedding_bag_of_maxima": lambda torch, indices, table, offsets: torch.nn.functional.embedding_bag(
        indices, table, offsets, mode="max"
    ),
    "embedding_bag_with_padding": lambda torch, indices, table, offsets, mode, padding_idx: (
        torch.nn.functional.embedding_bag(indices, table, offsets, mode=mode, padding_idx=padding_idx)
    ),
    "embedding_bag_of_rows": lambda torch, indices, table, mode: torch.nn.functional.embedding_bag(
        indices, table, mode=mode
    ),
    "embedding_bag_with_an_end": lambda torch, indices, table, offsets, mode: torch.nn.functional.embedding_bag(
        indices, table, offsets, mode=mode, include_last_offset=True
    ),
    "select_index": "torch.select",
    # Writing.
    "at_set": lambda torch, x, indices, values: torch.index_put(x, (indices,), values),
    "at_add": lambda torch, x, indices, values: torch.index_put(x, (indices,), values, True),
    "index_put": lambda torch, x, i, j, values, accumulate=False: torch.index_put(x, (i, j), values, accumulate),
    "index_put_twice": lambda torch, x, i, j, values: torch.index_put(x, (i, j), values, True),
    "index_put_number": lambda torch, x, i, value: torch.index_put(x, (i,), value),
    "index_add": lambda torch, x, indices, source, axis, alpha=1: torch.index_add(
        x, axis, indices, source, alpha=alpha
    ),
    "index_copy": lambda torch, x, indices, source, axis: torch.index_copy(x, axis, indices, source),
    "index_copy_twice": lambda torch, x, indices, source, axis: torch.index_copy(x, axis, indices, source),
    "index_fill": lambda torch, x, indices, value, axis: torch.index_fill(x, axis, indices, value),
    "scatter": lambda torch, x, indices, source, axis: torch.scatter(x, axis, indices, source),
    "scatter_number": lambda torch, x, indices, axis, value: torch.scatter(x, axis, indices, value),
    "scatter_shorter": lambda torch, x, indices, source: torch.scatter(x, 0, indices, source),
    "scatter_add": lambda torch, x, indices, source, axis: torch.scatter_add(x, axis, indices, source),
    "scatter_add_shorter": lambda torch, x, indices, source: torch.scatter_add(x, 0, indices, source),
    "scatter_reduce_shorter": _scatter_reduced("sum"),
    **{f"index_reduce_{reduce}": _index_reduced(reduce) for reduce in ("prod", "mean", "amax", "amin")},
    **{f"index_reduce_{reduce}_anew": _index_reduced(reduce, anew=True) for reduce in ("prod", "mean", "amax", "amin")},
    **{f"scatter_reduce_{reduce}": _scatter_reduced(reduce) for reduce in ("sum", "prod", "mean", "amax", "amin")},
    **{
        f"scatter_reduce_{reduce}_anew": _scatter_reduced(reduce, anew=True)
        for reduce in ("sum", "prod", "mean", "amax", "amin")
    },
    "put": lambda torch, x, indices, values: torch.put(x, indices, values),
    "put_twice": lambda torch, x, indices, values: torch.put(x, indices, values, True),
    "slice_scatter": _slice_scattered,
    "slice_scatter_steps": _slice_scattered,
    "segment_reduce": lambda torch, x, lengths, reduce: torch.segment_reduce(x, reduce, lengths=lengths),
}
