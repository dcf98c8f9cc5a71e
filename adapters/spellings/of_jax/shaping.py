"""Changing the shape of arrays, joining and splitting them, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same


def _padded(mode: str) -> Spelling:
    return lambda jax, x, pad_width: jax.numpy.pad(x, pad_width, mode=mode)


SHAPING: Mapping[str, Spelling] = {
    **same("jax.lax", "broadcast_in_dim"),
    "unstack": lambda jax, x, axis=0: tuple(jax.numpy.unstack(x, axis=axis)),
    "broadcast_arrays": lambda jax, x, y: tuple(jax.numpy.broadcast_arrays(x, y)),
    "split": lambda jax, x, indices_or_sections, axis=0: tuple(jax.numpy.split(x, indices_or_sections, axis)),
    "array_split": lambda jax, x, indices_or_sections, axis=0: tuple(
        jax.numpy.array_split(x, indices_or_sections, axis)
    ),
    "hsplit": lambda jax, x, indices_or_sections: tuple(jax.numpy.hsplit(x, indices_or_sections)),
    "vsplit": lambda jax, x, indices_or_sections: tuple(jax.numpy.vsplit(x, indices_or_sections)),
    "dsplit": lambda jax, x, indices_or_sections: tuple(jax.numpy.dsplit(x, indices_or_sections)),
    "split_with_sizes": lambda jax, x, sizes, axis=0: tuple(jax.lax.split(x, sizes, axis)),
    "narrow": lambda jax, x, axis, start, length: jax.lax.dynamic_slice_in_dim(x, start, length, axis),
    "meshgrid": lambda jax, x, y, indexing="xy": tuple(jax.numpy.meshgrid(x, y, indexing=indexing)),
    "repeat_counts": lambda jax, x, counts, axis: jax.numpy.repeat(x, jax.numpy.array(counts), axis),
    "pad": lambda jax, x, pad_width, constant_values=0.0: jax.numpy.pad(x, pad_width, constant_values=constant_values),
    "pad_interior": "jax.lax.pad",
    "pad_reflect": _padded("reflect"),
    "pad_symmetric": _padded("symmetric"),
    "pad_edge": _padded("edge"),
    "pad_wrap": _padded("wrap"),
    "pad_linear_ramp": _padded("linear_ramp"),
    "pad_mean": _padded("mean"),
    "pad_maximum": _padded("maximum"),
    "fill_diagonal": lambda jax, x, values: jax.numpy.fill_diagonal(x, values, inplace=False),
}
