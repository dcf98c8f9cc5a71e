"""Sorting, ranking and searching."""

from __future__ import annotations

from typing import Any

from conformance.operations.row import array, family, row

# Two equal elements, and nothing else that is equal: with more ties a gradient need not lie between both sides.
TIE = {"tie": [0.5, 2.0, -1.0, 2.0, 1.0]}
TIE_IN_COLUMN = {"tie": [[0.5, 2.0, -1.0], [0.1, 2.0, 1.5], [1.0, -0.5, 0.3]]}
LOW_TIE_IN_COLUMN = {"tie": [[0.5, -2.0, -1.0], [0.1, -2.0, 1.5], [1.0, 0.5, 0.3]]}
TIE_IN_ROW = {"tie": [[0.5, 2.0, 2.0], [0.1, -2.0, 1.5], [1.0, -0.5, 0.3]]}
AXES: tuple[dict[str, Any], ...] = ({}, {"axis": 0})


def _parts(ad: Any, x: Any) -> Any:
    """The parts that a partition at 2 determines: the element there, and the others as sets."""
    return ad.np.sum(x[:2] ** 2), x[2], ad.np.sum(x[3:] ** 2)


ORDERING = family(
    "Ordering",
    row("argmax(x)", "Index of the maximum of all elements."),
    row("argsort(x)", "Indices that sort a vector."),
    row("nonzero(x)", "Indices of the elements of a vector that are not zero."),
    row("searchsorted(x, values)", "Indices at which `values` would be inserted into the sorted vector x."),
    row("sort(x)", "Elements of a vector in ascending order.", array(5), kinks=TIE, degree=1),
    row(
        "sort_along_axis(x, axis)",
        "Each row or column sorted.",
        array(3, 3),
        options=({"axis": 1}, {"axis": 0}, {"axis": -1}),
        kinks=TIE_IN_ROW,
        degree=1,
    ),
    row(
        "sort_descending(x, axis=-1)", "Sorted from the largest.", array(3, 3), options=AXES, kinks=TIE_IN_ROW, degree=1
    ),
    row("msort(x)", "Each column sorted.", array(3, 3), kinks=TIE_IN_COLUMN, degree=1),
    row(
        "sort_with_indices(x, axis=-1)",
        "A pair: the sorted elements and their indices.",
        array(3, 3),
        options=AXES,
        kinks=TIE_IN_ROW,
        degree=1,
    ),
    row(
        "sort_by_key(keys, values)",
        "A pair of vectors: the sorted keys, and the values in that order.",
        array(5),
        array(5),
        # With other values there, the second output jumps.
        kinks={"equal keys": ([0.5, 2.0, -1.0, 2.0, 1.0], [3.0, 1.5, 0.2, 1.5, -1.0])},
        degree=1,
    ),
    row(
        "partition(x, kth)",
        "The smaller elements of a vector, the kth, and the larger.",
        array(5),
        options=({"kth": 2},),
        observed=_parts,
        smooth={"tie on one side": [0.5, 2.0, -1.0, 2.0, 1.0]},
        kinks={"tie at kth": [0.5, 2.0, 1.0, -1.0, 1.0]},
        degree=(2, 1, 2),
    ),
    row(
        "max_with_index(x, axis=0, keepdims=False)",
        "A pair: the maximum along an axis and its index.",
        array(3, 3),
        options=({}, {"axis": -1, "keepdims": True}),
        kinks=TIE_IN_COLUMN,
        degree=1,
    ),
    row(
        "min_with_index(x, axis=0, keepdims=False)",
        "A pair: the minimum along an axis and its index.",
        array(3, 3),
        options=({}, {"axis": -1, "keepdims": True}),
        kinks=LOW_TIE_IN_COLUMN,
        degree=1,
    ),
    row(
        "median_with_index(x, axis=0, keepdims=False)",
        "A pair: the median along an axis and its index.",
        array(3, 3),
        options=({}, {"axis": -1, "keepdims": True}),
        kinks=TIE_IN_COLUMN,
        degree=1,
    ),
    row(
        "topk(x, k, axis=-1)",
        "A pair: the k largest elements along an axis, and their indices.",
        array(3, 3),
        options=({"k": 2}, {"k": 1, "axis": 0}, {"k": 3}),
        kinks=TIE_IN_ROW,
        degree=1,
    ),
    row(
        "topk_smallest(x, k, axis=-1)",
        "A pair: the k smallest elements along an axis, and their indices.",
        array(3, 3),
        options=({"k": 2}, {"k": 1, "axis": 0}),
        kinks=TIE_IN_ROW,
        degree=1,
    ),
    row(
        "approx_max_k(x, k)",
        "A pair: k of the largest elements of a vector, and their indices.",
        array(5),
        options=({"k": 2},),
        smooth={"tie below": [0.5, 0.5, -1.0, 2.0, 1.0]},
        kinks=TIE,
        degree=1,
    ),
    row(
        "kthvalue(x, k, axis=-1, keepdims=False)",
        "The k-th smallest element along an axis, from 1.",
        array(3, 3),
        options=({"k": 2}, {"k": 1, "axis": 0}, {"k": 3, "keepdims": True}),
        kinks=TIE_IN_ROW,
        degree=1,
    ),
    row(
        "mode(x)",
        "The most frequent element of a vector: of elements that differ, the smallest.",
        array(5),
        ordinary="of elements that differ it is the smallest, and where two come to be equal it jumps",
    ),
)
