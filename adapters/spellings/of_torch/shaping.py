"""Changing the shape of arrays, joining and splitting them, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same


def _widths(pad_width: Any) -> list[int]:
    """As `pad` takes them: of the last axis first, one after the other."""
    return [width for pair in reversed(pad_width) for width in pair]


def _padded(mode: str) -> Spelling:
    # The first axis, of channels, is not padded.
    return lambda torch, x, pad_width: torch.nn.functional.pad(x, _widths(pad_width[1:]), mode=mode)


SHAPING: Mapping[str, Spelling] = {
    **same("torch", "reshape ravel flatten unflatten swapaxes moveaxis broadcast_to atleast_2d atleast_3d"),
    **same("torch", "flip fliplr flipud tile hstack vstack dstack column_stack hsplit vsplit dsplit"),
    **same("torch", "narrow as_strided cartesian_prod combinations diag_embed"),
    **same("torch.nn.functional", "pixel_shuffle pixel_unshuffle"),
    "channel_shuffle": "torch.channel_shuffle",
    "broadcast_arrays": "torch.broadcast_tensors",
    "permute_dims": "torch.permute",
    "stack": lambda torch, arrays, axis=0: torch.stack(arrays, axis),
    "concat": lambda torch, arrays, axis=0: torch.cat(arrays, axis),
    "unstack": lambda torch, x, axis=0: torch.unbind(x, axis),
    "unfold": "torch.Tensor.unfold",
    "transpose": lambda torch, x: torch.transpose(x, 0, 1),
    "matrix_transpose": lambda torch, x: x.mT,
    "squeeze": lambda torch, x, axis=None: torch.squeeze(x) if axis is None else torch.squeeze(x, axis),
    "expand_dims": "torch.unsqueeze",
    "rot90": lambda torch, x, k=1, axes=(0, 1): torch.rot90(x, k, axes),
    "roll": lambda torch, x, shift, axis=None: torch.roll(x, shift, dims=axis),
    "repeat": lambda torch, x, repeats, axis=None: torch.repeat_interleave(x, repeats, dim=axis),
    "repeat_counts": lambda torch, x, counts, axis: torch.repeat_interleave(x, torch.tensor(counts), dim=axis),
    "array_split": lambda torch, x, indices_or_sections, axis=0: torch.tensor_split(x, indices_or_sections, dim=axis),
    "split_with_sizes": lambda torch, x, sizes, axis=0: torch.split(x, sizes, dim=axis),
    "chunk": lambda torch, x, chunks, axis=0: torch.chunk(x, chunks, dim=axis),
    "as_strided": lambda torch, x, size, stride, storage_offset=0: torch.as_strided(
        x.contiguous(), size, stride, storage_offset
    ),
    "meshgrid": lambda torch, x, y, indexing="xy": torch.meshgrid(x, y, indexing=indexing),
    "pad": lambda torch, x, pad_width, constant_values=0.0: torch.nn.functional.pad(
        x, _widths(pad_width), value=constant_values
    ),
    "pad_reflect": _padded("reflect"),
    "pad_edge": _padded("replicate"),
    "pad_wrap": _padded("circular"),
    "tril": lambda torch, x, k=0: torch.tril(x, k),
    "triu": lambda torch, x, k=0: torch.triu(x, k),
    "diag": lambda torch, x, k=0: torch.diag(x, k),
    "diagonal_of_matrix": lambda torch, x, k=0: torch.diag(x, k),
    "diagflat": lambda torch, x, k=0: torch.diagflat(x, k),
    "diagonal": lambda torch, x, offset=0, axis1=0, axis2=1: torch.diagonal(x, offset, axis1, axis2),
    "fill_diagonal": lambda torch, x, values: torch.diagonal_scatter(x, values),
}
