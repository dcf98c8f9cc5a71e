"""Taking elements by index, and writing them, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.brackets import BRACKETS
from conformance.protocol import Spelling

INDEXING: Mapping[str, Spelling] = {
    **BRACKETS,
    "index_reversed": lambda autograd, x: x[::-1, 3:0:-2],
    "index_select": lambda autograd, x, indices, axis: autograd.numpy.take(x, indices, axis=axis),
    "select": lambda autograd, x, y, masks: autograd.numpy.select([masks[0], masks[1]], [x, y]),
    "insert": lambda autograd, x, values, index, axis: autograd.numpy.insert(x, index, values, axis),
    "delete": lambda autograd, x, index, axis: autograd.numpy.delete(x, index, axis),
}
