"""Indexing by the brackets of the language, which all engines spell alike."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

__all__ = ["BRACKETS"]

BRACKETS: Mapping[str, Spelling] = {
    "index_slices": lambda engine, x: x[1:, ::2],
    "index_new_axis": lambda engine, x: x[..., None, 1],
    "index_rows": lambda engine, x, i: x[i],
    "index_negative": lambda engine, x, i: x[i],
    "index_pairs": lambda engine, x, i, j: x[i, j],
    "index_grid": lambda engine, x, i, j: x[i, j],
    "index_columns": lambda engine, x, j: x[1:, j],
    "index_apart": lambda engine, x, i, j: x[i, :, j],
    "index_mask": lambda engine, x, mask: x[mask],
}
