"""Changing the shape and the order of arrays; see also `joining` and `padding`."""

from __future__ import annotations

from conformance.operations.families.joining import JOINING
from conformance.operations.families.padding import PADDING
from conformance.operations.reasons import LINEAR
from conformance.operations.row import array, family, row

ON_THREE_AXES = array(2, 3, 2)

SHAPING = family(
    "Shaping",
    *JOINING,
    *PADDING,
    row(
        "reshape(x, shape)",
        "The same elements in another shape.",
        array(2, 3),
        options=[{"shape": (3, 2)}, {"shape": (-1,)}, {"shape": (3, 1, 2)}],
    ),
    row("ravel(x)", "All elements along one axis.", array(2, 3)),
    row(
        "flatten(x, start_dim=0, end_dim=-1)",
        "The axes from start_dim to end_dim as one.",
        ON_THREE_AXES,
        options=[{}, {"start_dim": 1}, {"end_dim": -2}],
    ),
    row(
        "unflatten(x, axis, sizes)",
        "One axis as several of these sizes.",
        array(2, 6),
        options=[{"axis": 1, "sizes": (2, 3)}, {"axis": -1, "sizes": (3, -1)}],
    ),
    row("transpose(x)", "Transpose of a matrix.", array(2, 3)),
    row("matrix_transpose(x)", "Transpose of each matrix of a stack.", ON_THREE_AXES),
    row(
        "permute_dims(x, axes)",
        "The axes in another order.",
        array(2, 2, 2),  # of equal lengths: a wrong order is no error of shapes
        options=[{"axes": (2, 0, 1)}, {"axes": (1, 0, 2)}, {"axes": (-1, 0, -2)}],
    ),
    row(
        "swapaxes(x, axis1, axis2)",
        "Two axes interchanged.",
        ON_THREE_AXES,
        options=[{"axis1": 0, "axis2": 1}, {"axis1": 0, "axis2": -1}],
    ),
    row(
        "moveaxis(x, source, destination)",
        "Axes moved elsewhere, the others in their order.",
        ON_THREE_AXES,
        options=[{"source": 0, "destination": -1}, {"source": (0, 1), "destination": (-1, 0)}],
    ),
    row(
        "broadcast_to(x, shape)",
        "x broadcast to a shape.",
        array(3, 1),
        options=[{"shape": (3, 2)}, {"shape": (2, 3, 1)}, {"shape": (2, 3, 2)}],
    ),
    row("broadcast_arrays(x, y)", "Both arrays, broadcast against each other.", array(3, 1), array(2)),
    row(
        "broadcast_in_dim(x, shape, broadcast_dimensions)",
        "x broadcast to a shape, of which its axes become those.",
        array(2, 3),
        options=[
            {"shape": (2, 4, 3), "broadcast_dimensions": (0, 2)},
            {"shape": (2, 2, 3), "broadcast_dimensions": (1, 2)},
        ],
    ),
    row("atleast_2d(x)", "x with at least two axes.", array(3)),
    row("atleast_3d(x)", "x with at least three axes.", array(2, 3)),
    row(
        "squeeze(x, axis=None)",
        "Without axes of length one.",
        array(1, 3, 1),
        options=[{}, {"axis": 0}, {"axis": (0, -1)}],
    ),
    row(
        "expand_dims(x, axis)",
        "With a new axis of length one.",
        array(2, 3),
        options=[{"axis": 0}, {"axis": 1}, {"axis": -1}],
    ),
    row(
        "flip(x, axis)",
        "Elements in reverse order along axes.",
        array(2, 3),
        options=[{"axis": (0,)}, {"axis": (0, 1)}, {"axis": (-1,)}],
    ),
    row("fliplr(x)", "Columns in reverse order.", array(2, 3)),
    row("flipud(x)", "Rows in reverse order.", array(2, 3)),
    row(
        "roll(x, shift, axis=None)",
        "Elements shifted along axes, those beyond the end at the beginning; axis None: as if flattened.",
        array(2, 3),
        options=[{"shift": 2}, {"shift": -4, "axis": 1}, {"shift": (1, 2), "axis": (0, -1)}],
    ),
    row(
        "rot90(x, k=1, axes=(0, 1))",
        "Rotated k times by a right angle, from the first axis towards the second.",
        ON_THREE_AXES,
        options=[{}, {"k": 2}, {"k": -1, "axes": (1, 2)}, {"k": 3, "axes": (-1, 0)}],
    ),
    row(
        "tile(x, repetitions)",
        "Copies side by side.",
        array(2, 3),
        options=[{"repetitions": (2,)}, {"repetitions": (2, 1)}, {"repetitions": (2, 1, 2)}],
    ),
    row(
        "repeat(x, repeats, axis=None)",
        "Each element `repeats` times; axis None: of all elements along one axis.",
        array(2, 3),
        options=[{"repeats": 2}, {"repeats": 2, "axis": 0}, {"repeats": 3, "axis": -1}],
    ),
    row(
        "repeat_counts(x, counts, axis)",
        "Row number i counts[i] times.",
        array(3, 2),
        options=[{"counts": (2, 0, 3), "axis": 0}, {"counts": (1, 2), "axis": -1}],
    ),
    row(
        "narrow(x, axis, start, length)",
        "A part of an axis.",
        array(3, 4),
        options=[{"axis": 0, "start": 1, "length": 2}, {"axis": -1, "start": 0, "length": 3}],
    ),
    row(
        "unfold(x, axis, size, step)",
        "Windows of an axis, overlapping where the step is smaller than the size, along a new last axis.",
        array(5, 2),
        options=[
            {"axis": 0, "size": 3, "step": 1},
            {"axis": 0, "size": 2, "step": 3},
            {"axis": -1, "size": 2, "step": 2},
        ],
    ),
    row(
        "as_strided(x, size, stride, storage_offset=0)",
        "Elements of a contiguous array at these strides, some of them several times.",
        array(6),
        options=[
            {"size": (3, 2), "stride": (1, 1)},
            {"size": (2, 2), "stride": (2, 0), "storage_offset": 1},
            {"size": (2, 3), "stride": (3, 1)},
        ],
    ),
    row(
        "meshgrid(x, y, indexing='xy')",
        "Matrices of coordinates.",
        array(2),
        array(3),
        options=({}, {"indexing": "ij"}),
    ),
    row("cartesian_prod(x, y)", "All pairs of an element of x and one of y.", array(2), array(3)),
    row(
        "combinations(x, r=2, with_replacement=False)",
        "All choices of r elements.",
        array(4),
        options=({}, {"r": 3}, {"with_replacement": True}),
    ),
    row(
        "pixel_shuffle(x, upscale_factor)",
        "Channels laid out as pixels.",
        array(1, 4, 2, 3),
        options=[{"upscale_factor": 2}],
    ),
    row(
        "pixel_unshuffle(x, downscale_factor)",
        "Pixels laid out as channels.",
        array(1, 1, 4, 2),
        options=[{"downscale_factor": 2}],
    ),
    row("channel_shuffle(x, groups)", "Channels of the groups by turns.", array(1, 4, 2), options=[{"groups": 2}]),
    ordinary=LINEAR,
)
