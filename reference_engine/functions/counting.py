"""Sets, counts and places in ordered values: what has no derivative."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.tensor import Tensor
from .calling import overridable

__all__ = [
    "bincount", "bucketize", "combinations", "gcd", "histc", "isin", "lcm", "searchsorted", "unique",
    "unique_consecutive",
]  # fmt: skip


def _outputs(found: Any, inverse: Any, counts: Any, return_inverse: bool, return_counts: bool) -> Any:
    parts = [found, *([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    tensors = tuple(Tensor.of(part) for part in parts)
    return tensors if len(tensors) > 1 else tensors[0]


@overridable
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or slices along a dimension, in order (torch.unique).

    On request also where each element went, and how many there are of each.
    """
    found, inverse, counts = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim)
    shape = input.array.shape if dim is None else (input.array.shape[dim],)
    return _outputs(found, inverse.reshape(shape), counts, return_inverse, return_counts)


@overridable
def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """The elements in their order, without those equal to the one before (torch.unique_consecutive)."""
    flat = input.array.ravel()
    new = np.ones(flat.size, bool)
    new[1:] = flat[1:] != flat[:-1]
    counts = np.diff(np.append(np.flatnonzero(new), flat.size))
    inverse = (np.cumsum(new) - 1).reshape(input.array.shape)
    return _outputs(flat[new], inverse, counts, return_inverse, return_counts)


@overridable
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number from zero on occurs, or the sum of its weights (torch.bincount)."""
    return Tensor.of(np.bincount(input.array, None if weights is None else weights.array, minlength))


@overridable
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements lie in each of so many equal parts of a range, by default that of all (torch.histc)."""
    values = input.array
    low, high = (min, max) if min != max else (values.min(), values.max())
    low, high = (low, high) if low != high else (low - 1, high + 1)
    return Tensor.of(np.histogram(values, bins, (low, high))[0].astype(values.dtype))


def _row_by_row(ordered: Any, values: Any, side: Any) -> Any:
    if ordered.ndim == 1:
        return np.searchsorted(ordered, values, side)
    rows = zip(ordered.reshape(-1, ordered.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True)
    return np.stack([np.searchsorted(row, wanted, side) for row, wanted in rows]).reshape(values.shape)


@overridable
def searchsorted(
    sorted_sequence: Tensor, input: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None
) -> Tensor:
    """Where values would have to go in ordered ones, along the last dimension (torch.searchsorted)."""
    values = input.array if isinstance(input, Tensor) else np.asarray(input)
    # NaN comes last, as in a sort.
    found = np.where(values != values, sorted_sequence.shape[-1], _found(sorted_sequence, values, side, right))
    return Tensor.of(np.asarray(found, np.int32 if out_int32 else np.int64))


def _found(sorted_sequence: Tensor, values: Any, side: str | None, right: bool) -> Any:
    return _row_by_row(sorted_sequence.array, values, side or ("right" if right else "left"))


@overridable
def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """In which of the parts between ordered boundaries each element lies (torch.bucketize)."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@overridable
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Whether each element is among others (torch.isin)."""
    given, among = (v.array if isinstance(v, Tensor) else v for v in (elements, test_elements))
    return Tensor.of(np.isin(given, among, invert=invert))


@overridable
def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor of integers (torch.gcd)."""
    return Tensor.of(np.gcd(input.array, other.array))


@overridable
def lcm(input: Tensor, other: Tensor) -> Tensor:
    """The least common multiple of integers (torch.lcm)."""
    return Tensor.of(np.lcm(input.array, other.array))


@overridable
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Every choice of r elements of a vector, one per row, with a gradient (torch.combinations)."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choose(range(len(input)), r)), dtypes.int64.numpy).reshape(-1, r)
    return input[Tensor.of(places)]
