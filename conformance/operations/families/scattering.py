"""Writing elements by index: setting and adding."""

from __future__ import annotations

from conformance.operations.row import array, given, row

# Rows 0 and 2 are written, row 2 twice, and row 1 never.
TWICE = given([2, 0, 2])
ONCE = given([2, 0])
ROWS, TWO_ROWS, THREE_ROWS = array(3, 2), array(2, 2), array(3, 2)
MASK = given([[True, False, True], [False, True, True]])
# For an array of three rows and three columns: along both axes one element is named twice.
ALONG = given([[0, 2, 1], [0, 2, 0]])
SQUARE, SOURCE = array(3, 3), array(2, 3)
DISTINCT = given([[0, 2, 1], [1, 0, 2]])
EITHER_AXIS = ({"axis": 0}, {"axis": 1})

# Rows of the family `indexing`.
SCATTERING = (
    # At rows of x.
    row("at_set(x, indices, values)", "x with rows replaced.", ROWS, ONCE, TWO_ROWS, complex=True),
    row(
        "at_set_twice(x, indices, values)",
        "x with rows replaced, one twice: one of both remains.",
        ROWS,
        TWICE,
        THREE_ROWS,
    ),
    row(
        "at_add(x, indices, values)",
        "x with values added to rows, twice to one.",
        ROWS,
        TWICE,
        THREE_ROWS,
        complex=True,
    ),
    row(
        "at_subtract(x, indices, values)",
        "x with values subtracted from rows, twice from one.",
        ROWS,
        TWICE,
        THREE_ROWS,
    ),
    row("at_get_fill(x, indices)", "Rows at indices, zeros where there is no row.", ROWS, given([2, 5, 0])),
    row(
        "at_add_drop(x, indices, values)",
        "x with values added to rows, those dropped for which there is no row.",
        ROWS,
        given([2, 5, 2]),
        THREE_ROWS,
    ),
    row(
        "index_put(x, i, j, values, accumulate=False)",
        "x with elements replaced, or added to.",
        array(3, 4),
        given([2, 0, 1]),
        given([1, 3, 1]),
        array(3),
        options=({}, {"accumulate": True}),
        complex=True,
    ),
    row(
        "index_put_twice(x, i, j, values)",
        "x with values added to elements, twice to one.",
        array(3, 4),
        given([2, 0, 2]),
        given([1, 3, 1]),
        array(3),
    ),
    row("index_put_number(x, i, value)", "x with rows replaced by one number.", ROWS, ONCE, array()),
    # Along an axis.
    row(
        "index_add(x, indices, source, axis, alpha=1)",
        "x with rows or columns added, times alpha.",
        SQUARE,
        TWICE,
        SQUARE,
        options=({"axis": 0}, {"axis": 1, "alpha": 2}, {"axis": -2}),
        complex=True,
    ),
    row(
        "index_copy(x, indices, source, axis)",
        "x with rows replaced.",
        ROWS,
        ONCE,
        TWO_ROWS,
        options=[{"axis": 0}, {"axis": -2}],
        complex=True,
    ),
    row(
        "index_copy_twice(x, indices, source, axis)",
        "x with rows replaced, one twice: one of both remains.",
        ROWS,
        TWICE,
        THREE_ROWS,
        options=[{"axis": 0}, {"axis": -2}],
    ),
    row(
        "index_fill(x, indices, value, axis)",
        "x with rows or columns replaced by a number.",
        SQUARE,
        given([2, 0, 2]),
        array(),
        options=(*EITHER_AXIS, {"axis": -2}),
    ),
    # At indices of their own along an axis.
    row(
        "scatter(x, indices, source, axis)",
        "x with elements replaced.",
        SQUARE,
        DISTINCT,
        SOURCE,
        options=[{"axis": 1}, {"axis": -1}],
        complex=True,
    ),
    row(
        "scatter_number(x, indices, axis, value)",
        "x with elements replaced by one number.",
        SQUARE,
        ALONG,
        options=[{"axis": 0, "value": 2.0}, {"axis": -2, "value": 2.0}],
    ),
    row(
        "scatter_shorter(x, indices, source)",
        "x with elements replaced by the first ones of a longer source.",
        array(3),
        ONCE,
        array(3),
    ),
    row(
        "scatter_add(x, indices, source, axis)",
        "x with elements added.",
        SQUARE,
        ALONG,
        SOURCE,
        options=(*EITHER_AXIS, {"axis": -2}),
        complex=True,
    ),
    row(
        "scatter_add_shorter(x, indices, source)",
        "x with the first elements of a longer source added.",
        array(3),
        ONCE,
        array(3),
    ),
    row(
        "put_along_axis(x, indices, values, axis)",
        "Along an axis, x with elements replaced.",
        SOURCE,
        DISTINCT,
        SOURCE,
        options=[{"axis": 1}, {"axis": -1}],
    ),
    row("put(x, indices, values)", "x with elements replaced, as if flattened.", array(2, 3), given([4, 0]), array(2)),
    row(
        "put_twice(x, indices, values)",
        "x with values added to elements, as if flattened, twice to one.",
        array(2, 3),
        given([4, 0, 4]),
        array(3),
    ),
    # Where a mask holds.
    row("masked_fill(x, mask, value)", "x with one number where a mask holds.", array(2, 3), MASK, array()),
    row(
        "masked_scatter(x, mask, source)",
        "x with the elements of source, one after the other, where a mask holds.",
        array(2, 3),
        MASK,
        array(5),
    ),
    row(
        "place(x, mask, values)",
        "x with values, one after the other and again from the first, where a mask holds.",
        array(2, 3),
        MASK,
        array(2),
    ),
)
