"""Taking elements by index, and writing them; see also `scattering` and `reducing_at`."""

from __future__ import annotations

from conformance.operations.families.reducing_at import REDUCING_AT
from conformance.operations.families.scattering import SCATTERING
from conformance.operations.reasons import LINEAR
from conformance.operations.row import array, family, given, row

MATRIX = array(3, 4)
# Several elements are taken twice, and some never.
PLACES = given([[3, 0], [5, 3]])
ROWS = given([2, 0, 2, 1])
MASK = given([[True, False, True], [False, True, True]])
# For an array of three rows and three columns: along both axes one element is named twice.
ALONG = given([[0, 2, 1], [0, 2, 0]])
SLICE = [{"axis": 0, "start": 1, "end": 3}, {"axis": -1, "start": 0, "end": 4, "step": 2}]

INDEXING = family(
    "Indexing",
    *SCATTERING,
    *REDUCING_AT,
    # Taking.
    row("take(x, indices)", "Elements at these indices, as if flattened.", array(2, 3), PLACES, complex=True),
    row(
        "take_along_axis(x, indices, axis)",
        "Along an axis, the elements at these indices.",
        array(3, 3),
        ALONG,
        options=[{"axis": 0}, {"axis": -2}],
    ),
    row(
        "gather(x, indices, axis)",
        "Along an axis, the elements at these indices, of which there may be fewer than x has along the other axes.",
        array(3, 3),
        given([[0, 2], [0, 1], [1, 0], [0, 2]]),
        options=[{"axis": 0}, {"axis": -2}],
    ),
    row(
        "index_select(x, indices, axis)",
        "Rows or columns at these indices.",
        array(3, 3),
        ROWS,
        options=[{"axis": 0}, {"axis": 1}, {"axis": -1}],
        complex=True,
    ),
    row(
        "choose(x, y, which)",
        "Of each place, the element of x where `which` is 0, of y where it is 1.",
        array(3),
        array(3),
        given([0, 1, 0]),
    ),
    row(
        "select(x, y, masks)",
        "x where the first mask holds, else y where the second does, else 0.",
        array(3),
        array(3),
        given([[True, False, False], [True, True, False]]),
    ),
    row("masked_select(x, mask)", "The elements where a mask holds.", array(2, 3), MASK),
    row(
        "compress(mask, x, axis)",
        "The rows or columns where a mask holds.",
        given([True, False, True]),
        array(3, 3),
        options=[{"axis": 0}, {"axis": -1}],
    ),
    row(
        "embedding(indices, table, padding_idx=None, max_norm=None, scale_grad_by_freq=False)",
        "Rows of a table. Row `padding_idx` gets no gradient; those longer than `max_norm` are scaled in the table;"
        " `scale_grad_by_freq` divides the gradient of a row by its count.",
        given([[2, 0], [2, 1]]),
        array(4, 2),
    ),
    row(
        "embedding_bag(indices, table, offsets, mode)",
        "Of the rows of a table that are in each bag, the sum, mean or maximum; a bag begins at each offset.",
        given([2, 0, 2, 1, 3]),
        array(4, 2),
        given([0, 2, 2]),
        options=[{"mode": "mean"}, {"mode": "sum"}, {"mode": "max"}],
    ),
    row(
        "embedding_bag_weighted(indices, table, offsets, weights)",
        "Of the rows of a table that are in each bag, the sum, each times its weight.",
        given([2, 0, 2, 1, 3]),
        array(4, 2),
        given([0, 2]),
        array(5),
        smooth={"zero weight": ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [0.0, 1.0, 2.0, 0.0, 1.0])},
        degree=2,
    ),
    row(
        "embedding_bag_of_maxima(indices, table, offsets)",
        "embedding_bag with the maximum, where bags are empty.",
        given([2, 0, 2, 1, 3]),
        array(4, 2),
        given([0, 0, 3, 5]),
        smooth={"an index twice": [[1.0, 2.0], [5.0, 6.0], [3.0, 4.0], [7.0, 8.0]]},
        kinks={"tie": [[3.0, 2.0], [5.0, 6.0], [3.0, 4.0], [7.0, 8.0]]},
        degree=1,
    ),
    row(
        "embedding_bag_with_padding(indices, table, offsets, mode, padding_idx)",
        "embedding_bag without the index of padding; a bag may have no other.",
        given([2, 0, 2, 1, 0, 0]),
        array(4, 2),
        given([0, 3, 4]),
        options=[{"mode": mode, "padding_idx": index} for mode in ("mean", "sum", "max") for index in (0, 2)],
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "embedding_bag_of_rows(indices, table, mode)",
        "embedding_bag of bags of equal size.",
        given([[2, 0], [2, 2], [1, 3]]),
        array(4, 2),
        options=[{"mode": "mean"}, {"mode": "sum"}],
        smooth={"equal": 0.5},
        degree=1,
    ),
    row(
        "embedding_bag_with_an_end(indices, table, offsets, mode)",
        "embedding_bag where the last offset ends the last bag.",
        given([2, 0, 2, 1, 3]),
        array(4, 2),
        given([0, 2, 2, 5]),
        options=[{"mode": "mean"}, {"mode": "sum"}, {"mode": "max"}],
        smooth={"zero": 0.0},
        degree=1,
    ),
    # By the brackets of the language.
    row("index_slices(x)", "x[1:, ::2].", MATRIX),
    row("index_reversed(x)", "x[::-1, 3:0:-2].", MATRIX),
    row("index_new_axis(x)", "x[..., None, 1].", MATRIX),
    row("index_rows(x, i)", "x[i] for an array of indices.", array(3, 2), ROWS, complex=True),
    row(
        "index_negative(x, i)",
        "x[i] for indices from the end, and the same from the beginning.",
        array(3),
        given([-1, 2, 0, -3]),
    ),
    row(
        "index_pairs(x, i, j)", "x[i, j] for two arrays of indices, one pair twice.", MATRIX, ROWS, given([1, 3, 1, 0])
    ),
    row(
        "index_grid(x, i, j)",
        "x[i, j] for a column and a row of indices.",
        MATRIX,
        given([[2], [0], [2]]),
        given([[1, 1]]),
    ),
    row("index_columns(x, j)", "x[1:, j] for an array of indices.", MATRIX, given([3, 0, 3])),
    row(
        "index_apart(x, i, j)",
        "x[i, :, j] for two arrays of indices.",
        array(3, 2, 3),
        given([2, 0, 2]),
        given([1, 1, 1]),
    ),
    row("index_mask(x, mask)", "x[mask] for a mask of rows.", array(3, 2), given([True, False, True])),
    # Slices.
    row(
        "select_index(x, axis, index)",
        "The slice of an axis at an index.",
        MATRIX,
        options=[{"axis": 0, "index": 1}, {"axis": -1, "index": -1}],
    ),
    row(
        "strided_slice(x, start, stop, strides)",
        "From start to stop along each axis, in steps.",
        MATRIX,
        options=[
            {"start": (0, 1), "stop": (3, 4), "strides": (2, 2)},
            {"start": (1, 0), "stop": (2, 4), "strides": (1, 3)},
        ],
    ),
    row(
        "dynamic_slice(x, start, sizes)",
        "A given number of elements along each axis, from a start that leaves room for them.",
        MATRIX,
        given([1, 3]),
        options=[{"sizes": (2, 2)}],
    ),
    row(
        "dynamic_update_slice(x, update, start)",
        "x with elements replaced from a start that leaves room for them.",
        MATRIX,
        array(2, 2),
        given([1, 3]),
    ),
    row(
        "slice_scatter(x, source, axis, start, end, step=1)",
        "x with a slice replaced.",
        MATRIX,
        array(2, 4),
        options=(*SLICE[:1], {"axis": -2, "start": 1, "end": 3}),
    ),
    row(
        "slice_scatter_steps(x, source, axis, start, end, step=1)",
        "x with a slice in steps replaced.",
        MATRIX,
        array(3, 2),
        options=SLICE[1:],
    ),
    row(
        "select_scatter(x, source, axis, index)",
        "x with one row or column replaced.",
        array(3, 3),
        array(3),
        options=[{"axis": 0, "index": 1}, {"axis": -1, "index": -1}],
    ),
    row(
        "diagonal_scatter(x, source, offset=0)",
        "x with a diagonal replaced.",
        array(3, 4),
        array(3),
        options=({}, {"offset": 1}),
    ),
    row(
        "insert(x, values, index, axis)",
        "x with a row or column put in before an index.",
        array(3, 3),
        array(3),
        options=[{"index": 1, "axis": 0}, {"index": 3, "axis": 1}, {"index": 1, "axis": -2}],
    ),
    row(
        "delete(x, index, axis)",
        "x without a row or column.",
        MATRIX,
        options=[{"index": 1, "axis": 0}, {"index": -1, "axis": 1}, {"index": 1, "axis": -2}],
    ),
    ordinary=LINEAR,
)
