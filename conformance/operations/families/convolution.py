"""Convolution, and what rearranges arrays for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from conformance.operations.reasons import MULTILINEAR
from conformance.operations.row import array, family, row

Variants: TypeAlias = Sequence[Mapping[str, Any]]

STRIDES: Variants = [{}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": 2, "padding": 1, "dilation": 2}]
# A second padding, of the output alone, makes up for what a stride leaves open.
TRANSPOSED: Variants = [{}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": 2, "output_padding": 1}]
CONVOLUTION_OPTIONS = "stride=1, padding=0, dilation=1"
TRANSPOSED_OPTIONS = "stride=1, padding=0, output_padding=0, dilation=1"

CONVOLUTION = family(
    "Convolution",
    row(
        f"conv1d(x, weight, {CONVOLUTION_OPTIONS})",
        "Sum over channels and a window: samples x channels x places, with outputs x channels x window.",
        array(2, 2, 5),
        array(2, 2, 2),
        options=STRIDES,
        complex=True,
    ),
    row(
        f"conv2d(x, weight, {CONVOLUTION_OPTIONS})",
        "conv1d over two axes.",
        array(1, 2, 3, 4),
        array(2, 2, 2, 2),
        options=[*STRIDES, {"padding": (1, 0), "stride": (1, 2)}],
        complex=True,
    ),
    row(
        f"conv3d(x, weight, {CONVOLUTION_OPTIONS})",
        "conv1d over three axes.",
        array(1, 1, 3, 3, 3),
        array(2, 1, 2, 1, 2),
        options=STRIDES,
        complex=True,
    ),
    row(
        "grouped_conv1d(x, weight, groups)",
        "conv1d with channels in groups, each with its own outputs.",
        array(1, 4, 4),
        array(4, 2, 2),
        options=[{"groups": 2}],
        complex=True,
    ),
    row(
        "grouped_conv2d(x, weight, groups)",
        "conv2d with channels in groups, each with its own outputs: here each channel by itself.",
        array(1, 2, 3, 3),
        array(4, 1, 2, 2),
        options=[{"groups": 2}],
        complex=True,
    ),
    row(
        "biased_conv1d(x, weight, bias, stride=1)",
        "conv1d plus a number for each output channel.",
        array(2, 2, 4),
        array(2, 2, 2),
        array(2),
        options=[{}, {"stride": 2}],
    ),
    row(
        "biased_conv2d(x, weight, bias, padding='valid')",
        "conv2d plus a number for each output channel.",
        array(2, 2, 3, 3),
        array(3, 2, 2, 2),
        array(3),
        options=[{}, {"padding": "same"}],
    ),
    row(
        f"conv_transpose1d(x, weight, {TRANSPOSED_OPTIONS})",
        "The transpose of conv1d as a linear map; the weight is channels x outputs x window.",
        array(2, 2, 3),
        array(2, 3, 3),
        options=TRANSPOSED,
        complex=True,
    ),
    row(
        f"conv_transpose2d(x, weight, {TRANSPOSED_OPTIONS})",
        "The transpose of conv2d as a linear map.",
        array(1, 2, 2, 3),
        array(2, 1, 3, 3),
        options=TRANSPOSED,
        complex=True,
    ),
    row(
        f"conv_transpose3d(x, weight, {TRANSPOSED_OPTIONS})",
        "The transpose of conv3d as a linear map.",
        array(1, 1, 2, 2, 2),
        array(1, 1, 3, 3, 3),
        options=TRANSPOSED,
        complex=True,
    ),
    row(
        "grouped_conv_transpose2d(x, weight, groups, stride=1)",
        "conv_transpose2d with channels in groups.",
        array(1, 4, 2, 2),
        array(4, 1, 2, 2),
        options=[{"groups": 2}, {"groups": 2, "stride": 2}],
    ),
    row(
        "conv_tbc(x, weight, bias, padding=0)",
        "conv1d with the places first, then samples, then channels, plus a number for each output channel.",
        array(4, 2, 2),
        array(2, 2, 3),
        array(3),
        options=[{}, {"padding": 1}],
    ),
    row(
        "conv_local(x, weight)",
        "conv1d with a weight for each place: outputs x (channels · window) x places.",
        array(1, 2, 4),
        array(2, 4, 3),
    ),
    row(
        "conv2d_of_spread_input(x, weight, spread, padding=0)",
        "conv2d of the input with zeros between its numbers.",
        array(1, 2, 2, 3),
        array(2, 2, 2, 2),
        options=[{"spread": 2}, {"spread": (1, 3), "padding": 1}],
        complex=True,
    ),
    row(
        "conv1d_of_groups_of_samples(x, weight, groups)",
        "conv1d with samples in groups, each with its own outputs, side by side.",
        array(4, 2, 4),
        array(4, 2, 2),
        options=[{"groups": 2}],
        complex=True,
    ),
    row(
        "conv_transpose2d_of_a_size(x, weight, stride=1, padding='SAME')",
        "conv_transpose2d padded to a size: of the input times the stride, or of all that the window meets.",
        array(1, 2, 2, 3),
        array(2, 1, 3, 2),
        options=[{}, {"stride": 2}, {"padding": "VALID"}, {"padding": "VALID", "stride": 2}],
        complex=True,
    ),
    row(
        "convolve2d(x, y, mode='full')",
        "Convolution of two matrices: whole, of the size of the first, or where they overlap entirely.",
        array(3, 4),
        array(2, 2),
        options=[{}, {"mode": "valid"}, {"mode": "same"}],
        complex=True,
    ),
    row(
        "correlate2d(x, y, mode='full')",
        "convolve2d with the second matrix turned round and conjugate.",
        array(3, 4),
        array(2, 2),
        options=[{}, {"mode": "valid"}, {"mode": "same"}],
        complex=True,
    ),
    row(
        "fftconvolve(x, y, mode='full')",
        "Convolution by Fourier transforms.",
        array(3, 4),
        array(2, 2),
        options=[{}, {"mode": "valid"}, {"mode": "same"}],
        complex=True,
    ),
    row(
        "image_windows(x, size, dilation=1, padding=0, stride=1)",
        "The windows of an image as columns.",
        array(1, 2, 3, 4),
        options=[{"size": 2}, {"size": (1, 2), "stride": 2}, {"size": 2, "dilation": 2, "padding": 1}],
        complex=True,
    ),
    row(
        "fold(x, output_size, size, dilation=1, padding=0, stride=1)",
        "An image of its windows: where they overlap, they add up.",
        array(1, 4, 6),
        options=[
            {"output_size": (3, 4), "size": 2},
            {"output_size": (4, 6), "size": 2, "stride": 2},
            {"output_size": (4, 5), "size": 2, "dilation": 2},
            {"output_size": (3, 3), "size": (1, 2), "padding": (0, 1), "stride": (1, 2)},
        ],
        complex=True,
    ),
    ordinary=MULTILINEAR,
)
