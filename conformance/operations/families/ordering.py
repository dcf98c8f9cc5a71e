"""Sorting, ranking and searching."""

from __future__ import annotations

from conformance.operations.row import family, row

ORDERING = family(
    "Ordering",
    row("argmax(x)", "Index of the maximum of all elements."),
    row("sort(x)", "Elements of a vector in ascending order."),
    row("argsort(x)", "Indices that sort a vector."),
    row("sort_with_indices(x)", "A pair: the sorted elements and their indices."),
    row("max_with_index(x)", "A pair: the maximum along the first axis and its index."),
    row("topk(x, k)", "A pair: the k largest elements of a vector and their indices."),
    row("kthvalue(x, k)", "The k-th smallest element of a vector, from 1."),
    row("mode(x)", "The most frequent element of a vector."),
    row("nonzero(x)", "Indices of the elements of a vector that are not zero."),
    row("searchsorted(x, values)", "Indices at which `values` would be inserted into the sorted vector x."),
)
