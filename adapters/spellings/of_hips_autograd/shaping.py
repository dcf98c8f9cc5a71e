"""Changing the shape of arrays, joining and splitting them, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling


def _padded(mode: str) -> Spelling:
    return lambda autograd, x, pad_width: autograd.numpy.pad(x, pad_width, mode)


SHAPING: Mapping[str, Spelling] = {
    # Indexing is the operation that has a derivative.
    "unstack": lambda autograd, x, axis=0: tuple(
        autograd.numpy.moveaxis(x, axis, 0)[place] for place in range(x.shape[axis])
    ),
    "split": lambda autograd, x, indices_or_sections, axis=0: tuple(autograd.numpy.split(x, indices_or_sections, axis)),
    "array_split": lambda autograd, x, indices_or_sections, axis=0: tuple(
        autograd.numpy.array_split(x, indices_or_sections, axis)
    ),
    "hsplit": lambda autograd, x, indices_or_sections: tuple(autograd.numpy.hsplit(x, indices_or_sections)),
    "vsplit": lambda autograd, x, indices_or_sections: tuple(autograd.numpy.vsplit(x, indices_or_sections)),
    "dsplit": lambda autograd, x, indices_or_sections: tuple(autograd.numpy.dsplit(x, indices_or_sections)),
    "meshgrid": lambda autograd, x, y, indexing="xy": tuple(autograd.numpy.meshgrid(x, y, indexing=indexing)),
    "repeat_counts": lambda autograd, x, counts, axis: autograd.numpy.repeat(x, counts, axis),
    "pad": lambda autograd, x, pad_width, constant_values=0.0: autograd.numpy.pad(
        x, pad_width, "constant", constant_values=constant_values
    ),
    "pad_reflect": _padded("reflect"),
    "pad_symmetric": _padded("symmetric"),
    "pad_edge": _padded("edge"),
    "pad_wrap": _padded("wrap"),
}
