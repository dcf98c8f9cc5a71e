"""Taking elements by index, and writing them, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.spellings.brackets import BRACKETS
from conformance.protocol import Spelling, same


def _at(method: str, **options: Any) -> Spelling:
    return lambda jax, x, indices, values: getattr(x.at[indices], method)(values, **options)


INDEXING: Mapping[str, Spelling] = {
    **BRACKETS,
    **same("jax.ops", "segment_sum segment_prod segment_max segment_min"),
    # Taking.
    "index_select": lambda jax, x, indices, axis: jax.numpy.take(x, indices, axis=axis),
    "choose": lambda jax, x, y, which: jax.numpy.choose(which, [x, y]),
    "select": lambda jax, x, y, masks: jax.numpy.select([masks[0], masks[1]], [x, y]),
    "masked_select": lambda jax, x, mask: jax.numpy.extract(mask, x),
    "index_reversed": lambda jax, x: x[::-1, 3:0:-2],
    "at_get_fill": lambda jax, x, indices: x.at[indices].get(mode="fill", fill_value=0),
    "select_index": lambda jax, x, axis, index: jax.lax.index_in_dim(x, index, axis, keepdims=False),
    "strided_slice": "jax.lax.slice",
    "dynamic_slice": "jax.lax.dynamic_slice",
    # Writing.
    "at_set": _at("set"),
    "at_set_twice": _at("set"),
    "at_add": _at("add"),
    "at_subtract": _at("subtract"),
    "at_multiply": _at("multiply", unique_indices=True),
    "at_multiply_twice": _at("multiply"),
    "at_divide": _at("divide", unique_indices=True),
    "at_power": _at("power", unique_indices=True),
    "at_min": _at("min"),
    "at_max": _at("max"),
    "at_add_drop": lambda jax, x, indices, values: x.at[indices].add(values, mode="drop"),
    "index_put": lambda jax, x, i, j, values, accumulate=False: (
        x.at[i, j].add(values) if accumulate else x.at[i, j].set(values)
    ),
    "index_put_twice": lambda jax, x, i, j, values: x.at[i, j].add(values),
    "index_put_number": lambda jax, x, i, value: x.at[i].set(value),
    "dynamic_update_slice": "jax.lax.dynamic_update_slice",
    "put": lambda jax, x, indices, values: jax.numpy.put(x, indices, values, inplace=False),
    "put_along_axis": lambda jax, x, indices, values, axis: jax.numpy.put_along_axis(
        x, indices, values, axis, inplace=False
    ),
    "place": lambda jax, x, mask, values: jax.numpy.place(x, mask, values, inplace=False),
    "insert": lambda jax, x, values, index, axis: jax.numpy.insert(x, index, values, axis),
    "delete": lambda jax, x, index, axis: jax.numpy.delete(x, index, axis),
}
