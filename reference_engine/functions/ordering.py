"""Functions of the order of elements: extremes with their indices, and sorting.

Indices are int64. The gradient goes to the elements that the indices name. NaN counts as the greatest of all.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import primitives as o
from ..batching.per_example import as_tensor, map_examples
from ..core.tensor import Tensor
from .call_forms import filled, one_dim


class ValuesAndIndices(NamedTuple):
    """The result of functions that choose elements: the chosen ones, and their indices."""

    values: Tensor
    indices: Tensor


def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The maximum: of all elements, of two tensors, or along a dimension with indices (torch.max).

    Ties: of all elements, shared equally; along a dimension, to the element that the index names.
    IndexError along a dimension of size zero, RuntimeError for no elements at all.
    """
    if isinstance(dim, Tensor):
        return o.maximum(input, dim)
    if dim is None:
        return o.max_all(input)
    return _chosen(o.chosen_max, input, np.argmax, dim, keepdim)


def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The minimum: of all elements, of two tensors, or along a dimension with indices (torch.min)."""
    if isinstance(dim, Tensor):
        return o.minimum(input, dim)
    if dim is None:
        return o.min_all(input)
    return _chosen(o.chosen_min, input, np.argmin, dim, keepdim)


def _chosen(primitive: Any, x: Tensor, choose: Any, dim: int, keepdim: bool) -> ValuesAndIndices:
    """The elements that `choose` selects along a dimension, by their indices."""
    dim = one_dim(x.ndim, dim)
    if not x.ndim:
        return ValuesAndIndices(o.clone(x), Tensor.of(np.asarray(0)))
    # NumPy's error for an empty dimension differs from PyTorch's.
    filled(x, dim)
    # The choice has no derivative: only the taking of the chosen elements is recorded.
    where = map_examples(lambda array: np.expand_dims(np.asarray(choose(array, axis=dim)), dim), x)
    values = primitive(x, index=where, dim=dim, keepdim=keepdim)
    indices = as_tensor(where)
    return ValuesAndIndices(values, indices if keepdim else o.squeeze(indices, dim=dim))


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Where the maximum is; the first of ties (torch.argmax)."""
    if dim is None and not input.array.size:
        raise IndexError("argmax(): there is no greatest element of nothing: give a tensor that has elements")
    return o.argmax(input, dim=filled(input, dim), keepdim=keepdim)


def _order(x: Any, dim: int, descending: bool) -> Any:
    """The stable order along a dimension."""
    if not x.ndim:
        return np.asarray(0)
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    # Sorted backwards and flipped, so that ties keep their first order in descending sorts too.
    backward = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return x.shape[dim] - 1 - np.flip(backward, dim)


def _taken(primitive: Any, x: Tensor, order: Any, dim: int) -> ValuesAndIndices:
    if not x.ndim:
        return ValuesAndIndices(o.clone(x), Tensor.of(np.asarray(0)))
    return ValuesAndIndices(primitive(x, index=order, dim=dim), as_tensor(order))


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> ValuesAndIndices:
    """The elements in order along a dimension, ties in their first order, with indices (torch.sort)."""
    dim = one_dim(input.ndim, dim)
    return _taken(o.chosen_sort, input, map_examples(lambda x: _order(x, dim, descending), input), dim)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The indices that put the elements in order along a dimension (torch.argsort)."""
    return as_tensor(map_examples(lambda x: _order(x, one_dim(x.ndim, dim), descending), input))


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> ValuesAndIndices:
    """The k largest (or smallest) elements along a dimension, best first, with indices (torch.topk).

    RuntimeError if there are fewer than k. Of ties, those that come first.
    """
    dim = one_dim(input.ndim, dim)
    if not 0 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError(f"selected index k out of range: {k} elements of shape {list(input.shape)} along {dim}")
    # The k best of the whole order: no partial sort, since ties decide the indices.
    best = (slice(None),) * dim + (slice(0, k),) if input.ndim else ()
    return _taken(o.chosen_topk, input, map_examples(lambda x: _order(x, dim, largest)[best], input), dim)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """The k-th smallest element along a dimension, counted from 1, with its index (torch.kthvalue)."""
    if not 1 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}, but got k={k}")
    return _chosen(o.chosen_kthvalue, input, lambda x, axis: np.take(_order(x, axis, False), k - 1, axis), dim, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """The most frequent value along a dimension, of several the smallest, and its last place (torch.mode)."""
    return _chosen(o.chosen_mode, input, _mode_indices, dim, keepdim)


def _mode_indices(x: Any, axis: int) -> Any:
    # Without columns NumPy cannot infer the shape of the function's result.
    return np.apply_along_axis(_mode_index, axis, x) if x.size else x.sum(axis).astype(np.int64)


def _mode_index(values: Any) -> Any:
    unique, counts = np.unique(values, return_counts=True, equal_nan=False)
    best = unique[counts.argmax()]
    # NaN is unequal to itself: where the mode is NaN, its places are those of any NaN.
    return np.nonzero((values == best) | ((values != values) & (best != best)))[0][-1]


def searchsorted(sorted_sequence: Tensor, input: Tensor) -> Tensor:
    """Where values would go in a sorted vector, each before its equals (torch.searchsorted)."""
    return Tensor.of(np.searchsorted(sorted_sequence.array, input.array))
