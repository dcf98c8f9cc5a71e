"""Joining arrays, and splitting them."""

from __future__ import annotations

from conformance.operations.row import array, row

# Rows of the family `shaping`.
JOINING = (
    row(
        "stack(arrays, axis=0)",
        "Arrays joined along a new axis.",
        *(array(2, 3), array(2, 3)),
        options=({}, {"axis": 1}, {"axis": -1}),
        joined=True,
    ),
    row(
        "concat(arrays, axis=0)",
        "Arrays joined along an axis.",
        array(3, 2),
        array(1, 2),
        options=[{}, {"axis": -2}],
        joined=True,
    ),
    row("hstack(arrays)", "Arrays joined along the second axis.", array(2, 3), array(2, 1), joined=True),
    row("vstack(arrays)", "Arrays joined along the first axis, as rows.", array(3), array(2, 3), joined=True),
    row("dstack(arrays)", "Arrays joined along the third axis.", array(2, 3), array(2, 3), joined=True),
    row("column_stack(arrays)", "Arrays joined as columns.", array(3), array(3, 2), joined=True),
    row(
        "append(x, y, axis=None)",
        "y after x; axis None: both flattened.",
        array(2, 3),
        array(1, 3),
        options=({}, {"axis": 0}, {"axis": -2}),
    ),
    row(
        "unstack(x, axis=0)", "The tuple of arrays along an axis.", array(2, 3), options=({}, {"axis": 1}, {"axis": -2})
    ),
    row(
        "split(x, indices_or_sections, axis=0)",
        "Parts of equal length, or between these indices.",
        array(4, 3),
        options=[
            {"indices_or_sections": 2},
            {"indices_or_sections": (1, 2), "axis": 1},
            {"indices_or_sections": 2, "axis": -2},
        ],
    ),
    row(
        "array_split(x, indices_or_sections, axis=0)",
        "Parts of nearly equal length, or between these indices, empty ones too.",
        array(5),
        options=[
            {"indices_or_sections": 3},
            {"indices_or_sections": (1, 1, 4)},
            {"indices_or_sections": 3, "axis": -1},
        ],
    ),
    row(
        "hsplit(x, indices_or_sections)",
        "Parts along the second axis.",
        array(2, 4),
        options=[{"indices_or_sections": 2}],
    ),
    row(
        "vsplit(x, indices_or_sections)",
        "Parts along the first axis.",
        array(4, 2),
        options=[{"indices_or_sections": (1,)}],
    ),
    row(
        "dsplit(x, indices_or_sections)",
        "Parts along the third axis.",
        array(2, 3, 2),
        options=[{"indices_or_sections": 2}],
    ),
    row(
        "split_with_sizes(x, sizes, axis=0)",
        "Parts of these lengths.",
        array(4, 3),
        options=[{"sizes": (1, 3)}, {"sizes": (2, 1), "axis": 1}, {"sizes": (1, 3), "axis": -2}],
    ),
    row(
        "chunk(x, chunks, axis=0)",
        "At most `chunks` parts of one length, the last perhaps shorter.",
        array(5, 2),
        options=[{"chunks": 2}, {"chunks": 4}, {"chunks": 2, "axis": -1}],
    ),
)
