"""Pooling: means, norms and maxima over windows of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from conformance.operations.reasons import LINEAR
from conformance.operations.row import Operation, array, family, given, row

Variants: TypeAlias = Sequence[Mapping[str, Any]]

AVERAGED = "size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"
LARGEST = "size, stride=None, padding=0, dilation=1, ceil_mode=False"
AVERAGES: Variants = [
    {"size": 2},
    {"size": 3, "stride": 1},
    {"size": 2, "padding": 1},
    {"size": 2, "ceil_mode": True},
    {"size": 3, "stride": 2, "padding": 1, "count_include_pad": False},
]
# Without a stride, windows lie side by side.
MAXIMA: Variants = [
    {"size": 2},
    {"size": 3, "stride": 1},
    {"size": 2, "padding": 1},
    {"size": 2, "stride": 1, "dilation": 2},
    {"size": 2, "ceil_mode": True},
]
OVERLAPPING: Variants = [{"size": 2}, {"size": 2, "stride": 1}, {"size": 3, "stride": 2}]
# A tie in the first window of two elements, or of three, and nowhere else; and in the first window of two by two.
TIE = [[[1, 1, 0, 2, 0], [0, 2, 3, 1, 1]]]
TIE_OF_A_MATRIX = [[2, 1, 0], [1, 2, 0], [0, 3, 1], [1, 1, 1]]
EVEN_AND_UNEVEN: Variants = [{"output_size": 2}, {"output_size": 1}, {"output_size": 3}]


def pooling_row(name: str, meaning: str, shape: tuple[int, ...], **more: Any) -> Operation:
    """The row of an operation on windows without padding."""
    return row(f"{name}(x, size, stride=None)", meaning, array(*shape), options=OVERLAPPING, **more)


POOLING = family(
    "Pooling",
    row(f"avg_pool1d(x, {AVERAGED})", "Means over windows.", array(1, 2, 5), options=AVERAGES),
    row(
        f"avg_pool2d(x, {AVERAGED}, divisor_override=None)",
        "Means over windows of two axes, or sums divided by another number.",
        array(1, 1, 3, 5),
        options=[*AVERAGES, {"size": (1, 2), "stride": (2, 1), "divisor_override": 3}],
    ),
    row(
        f"avg_pool3d(x, {AVERAGED}, divisor_override=None)",
        "Means over windows of three axes, or sums divided by another number.",
        array(1, 1, 3, 3, 3),
        options=[*AVERAGES, {"size": 2, "divisor_override": 3}],
    ),
    row(
        f"max_pool1d(x, {LARGEST})",
        "Maxima over windows.",
        array(1, 2, 5),
        options=MAXIMA,
        smooth={
            "tie below the maximum": [[[1, 1, 0, 2, 0], [0, 2, 3, 1, 1]]],
            "negative numbers": [[[-1, -2, -4, -3, -5], [-5, -2, -3, -1, -4]]],
        },
        kinks={"tie": TIE},
    ),
    row(
        f"max_pool2d(x, {LARGEST})",
        "Maxima over windows of two axes.",
        array(1, 1, 4, 3),
        options=MAXIMA,
        smooth={"tie below the maximum": [[[[1, 1, 0], [0, 2, 0], [0, 3, 1], [1, 1, 1]]]]},
        kinks={"tie": [[TIE_OF_A_MATRIX]]},
    ),
    row(
        f"max_pool3d(x, {LARGEST})",
        "Maxima over windows of three axes.",
        array(1, 1, 3, 3, 3),
        options=MAXIMA,
        kinks={"all equal": 1},
    ),
    row(
        "max_pool2d_with_indices(x, size)",
        "max_pool2d, and where each maximum is.",
        array(1, 1, 4, 3),
        options=[{"size": 2}],
        kinks={"tie": [[TIE_OF_A_MATRIX]]},
        degree=1,
    ),
    row(
        "adaptive_avg_pool1d(x, output_size)",
        "Means over `output_size` windows.",
        array(1, 2, 5),
        options=EVEN_AND_UNEVEN,
    ),
    row(
        "adaptive_avg_pool2d(x, output_size)",
        "Means over `output_size` windows along each of two axes.",
        array(1, 1, 4, 3),
        options=[{"output_size": 2}, {"output_size": 1}, {"output_size": (4, 2)}],
    ),
    row(
        "adaptive_avg_pool3d(x, output_size)",
        "Means over `output_size` windows along each of three axes.",
        array(1, 1, 3, 2, 2),
        options=[{"output_size": 2}, {"output_size": 1}, {"output_size": (2, 1, 2)}],
    ),
    row(
        "adaptive_max_pool1d(x, output_size)",
        "Maxima over `output_size` windows.",
        array(1, 2, 5),
        options=EVEN_AND_UNEVEN,
        kinks={"tie": TIE},
        degree=1,
    ),
    row(
        "adaptive_max_pool2d(x, output_size)",
        "Maxima over `output_size` windows along each of two axes.",
        array(1, 1, 4, 3),
        options=[{"output_size": 2}, {"output_size": 1}, {"output_size": (4, 2)}],
        kinks={"tie": [[TIE_OF_A_MATRIX]]},
        degree=1,
    ),
    row(
        "adaptive_max_pool3d(x, output_size)",
        "Maxima over `output_size` windows along each of three axes.",
        array(1, 1, 3, 2, 2),
        options=[{"output_size": 2}, {"output_size": 1}, {"output_size": (2, 1, 2)}],
        kinks={"tie": [[[[[1, 2], [3, 4]], [[1, 5], [6, 7]], [[8, 9], [10, 11]]]]]},
        degree=1,
    ),
    row(
        "lp_pool1d(x, norm, size, stride=None)",
        "Norms of order `norm` over windows of `size` elements.",
        array(1, 5, low=0.0, high=3.0),
        options=[{"norm": 2, "size": 2}, {"norm": 3, "size": 2, "stride": 1}, {"norm": 1, "size": 3}],
        smooth={"one zero": [[0, 1, 2, 0, 3]]},
        kinks={"window of zeros": [[0, 0, 1, 2, 3]]},
        degree=1,
    ),
    row(
        "lp_pool2d(x, norm, size, stride=None, ceil_mode=False)",
        "Norms of order `norm` over windows of two axes.",
        array(1, 1, 2, 5, low=0.0, high=3.0),
        options=[
            {"norm": 2, "size": 2},
            {"norm": 3, "size": 2, "stride": 1},
            {"norm": 2, "size": 2, "ceil_mode": True},
        ],
        smooth={"three zeros": [[[[0, 1, 2, 0, 3], [0, 0, 0, 0, 1]]]]},
        kinks={"window of zeros": [[[[0, 0, 2, 1, 3], [0, 0, 1, 2, 1]]]]},
        degree=1,
    ),
    row(
        "lp_pool3d(x, norm, size)",
        "Norms of order `norm` over windows of three axes.",
        array(1, 1, 2, 2, 4, low=0.0, high=3.0),
        options=[{"norm": 2, "size": 2}, {"norm": 3, "size": 2}],
        kinks={"window of zeros": [[[[[0, 0, 1, 2], [0, 0, 1, 3]], [[0, 0, 2, 1], [0, 0, 1, 1]]]]]},
        degree=1,
    ),
    row(
        "max_unpool1d(x, indices, size, output_size=None)",
        "Zeros, with the numbers at the places from which max_pool1d took them.",
        array(1, 2, 2),
        given([[[0, 3], [1, 2]]]),
        options=[{"size": 2}, {"size": 2, "output_size": (5,)}],
    ),
    row(
        "max_unpool2d(x, indices, size, output_size=None)",
        "Zeros, with the numbers at the places from which max_pool2d took them.",
        array(1, 1, 1, 2),
        given([[[[4, 3]]]]),
        options=[{"size": 2}, {"size": 2, "output_size": (3, 5)}],
    ),
    row(
        "max_unpool3d(x, indices, size)",
        "Zeros, with the numbers at the places from which max_pool3d took them.",
        array(1, 1, 1, 1, 2),
        given([[[[[5, 14]]]]]),
        options=[{"size": 2}],
    ),
    row(
        "fractional_max_pool2d(x, fractions, size, output_size)",
        "Maxima over windows whose places follow from numbers between 0 and 1.",
        array(1, 1, 4, 4),
        given([[[0.3, 0.6]]]),
        options=[{"size": 2, "output_size": 3}, {"size": 2, "output_size": (2, 3)}],
    ),
    row(
        "fractional_max_pool3d(x, fractions, size, output_size)",
        "Maxima over windows of three axes whose places follow from numbers between 0 and 1.",
        array(1, 1, 4, 4, 4),
        given([[[0.3, 0.6, 0.8]]]),
        options=[{"size": 2, "output_size": 2}],
    ),
    pooling_row("window_sum", "Sums over windows of a matrix.", (4, 3), complex=True),
    pooling_row("window_max", "Maxima over windows of a matrix.", (4, 3), kinks={"tie": TIE_OF_A_MATRIX}),
    pooling_row(
        "window_min",
        "Minima over windows of a matrix.",
        (4, 3),
        kinks={"tie": [[1, 1, 3], [3, 2, 3], [0, 3, 1], [1, 1, 1]]},
    ),
    pooling_row(
        "window_prod",
        "Products over windows of a matrix.",
        (4, 3),
        smooth={
            "one zero": [[0, 1, 2], [1, 2, 3], [1, 1, 2], [2, 1, 3]],
            "two zeros": [[0, 0, 2], [1, 2, 3], [1, 1, 2], [2, 1, 3]],
        },
    ),
    ordinary=LINEAR,
)
