"""Padding arrays, triangles and diagonals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from conformance.operations.row import array, row

Variants: TypeAlias = tuple[Mapping[str, Any], ...]
MATRIX = array(3, 4)
# Pads the last two axes: PyTorch pads no others by reflecting, repeating and wrapping.
PADDED = array(1, 3, 4)
PAD_WIDTHS = (
    {"pad_width": ((0, 0), (0, 0), (2, 1))},
    {"pad_width": ((0, 0), (1, 2), (0, 2))},
)
OFFSETS: Variants = ({}, {"offset": 1}, {"offset": -1})
TRIANGLES: Variants = ({}, {"k": 1}, {"k": -1})

# Rows of the family `shaping`.
PADDING = (
    row(
        "pad(x, pad_width, constant_values=0.0)",
        "A constant before and after the elements of each axis.",
        array(2, 3),
        options=[{"pad_width": ((1, 2), (0, 1))}, {"pad_width": ((0, 0), (2, 0)), "constant_values": 1.5}],
    ),
    row(
        "pad_interior(x, padding_value, config)",
        "Numbers before, after and between the elements of each axis; a negative count takes elements away.",
        array(2, 3),
        array(),
        options=[
            {"config": ((1, 0, 2), (0, 1, 1))},
            {"config": ((0, 0, 0), (-1, 2, 1))},
            {"config": ((-1, 0, 0), (0, -2, 0))},
        ],
    ),
    row("pad_reflect(x, pad_width)", "Mirrored at the elements at the ends.", PADDED, options=PAD_WIDTHS),
    row("pad_symmetric(x, pad_width)", "Mirrored at the ends, whose elements come twice.", PADDED, options=PAD_WIDTHS),
    row("pad_edge(x, pad_width)", "Copies of the elements at the ends.", PADDED, options=PAD_WIDTHS),
    row("pad_wrap(x, pad_width)", "The elements of the other end.", PADDED, options=PAD_WIDTHS),
    row(
        "pad_linear_ramp(x, pad_width)",
        "A straight line from the element at the end to zero.",
        PADDED,
        options=PAD_WIDTHS,
    ),
    row("pad_mean(x, pad_width)", "The mean of each line.", PADDED, options=PAD_WIDTHS),
    row(
        "pad_maximum(x, pad_width)",
        "The maximum of each line.",
        PADDED,
        options=PAD_WIDTHS,
        kinks={"tie": 1.0},
        degree=1,
    ),
    row("tril(x, k=0)", "What is on the diagonal number k and below.", MATRIX, options=TRIANGLES),
    row("triu(x, k=0)", "What is on the diagonal number k and above.", MATRIX, options=TRIANGLES),
    row("diag(x, k=0)", "The matrix with this diagonal.", array(3), options=TRIANGLES),
    row(
        "diagonal_of_matrix(x, k=0)",
        "The diagonal of a matrix, by the function that makes one of it.",
        MATRIX,
        options=TRIANGLES,
    ),
    row("diagflat(x, k=0)", "The matrix with all elements on this diagonal.", array(2, 2), options=TRIANGLES),
    row(
        "diagonal(x, offset=0, axis1=0, axis2=1)",
        "Diagonals of the matrices of two axes.",
        array(3, 4, 2),
        options=(*OFFSETS, {"axis1": -1, "axis2": 1}),
    ),
    row(
        "diag_embed(x, offset=0, dim1=-2, dim2=-1)",
        "Matrices with these diagonals.",
        array(2, 3),
        options=(*OFFSETS, {"dim1": 0, "dim2": 2}),
    ),
    row("fill_diagonal(x, values)", "A matrix with another diagonal.", array(3, 3), array(3)),
)
