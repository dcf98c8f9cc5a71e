"""Normalisation by statistics of the array.

The special points have zero variance: eps alone keeps the functions smooth there. The usual eps, 1e-5, comes second,
since derivatives at zero variance grow with its inverse.
"""

from __future__ import annotations

from typing import Any

import numpy

from conformance.operations.row import array, family, given, row

EPS = [{"eps": 0.1}, {"eps": 1e-5}]
# Of one channel; of all elements.
CONSTANT = {
    "constant channel": [[[1.0, 1.0], [2.0, 0.5]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [0.3, 1.5]]],
    "constant": 0.5,
    "zero": 0.0,
}
SCALED = {kind: (value, 1.5, -0.5) for kind, value in CONSTANT.items()}
CHANNELS = {"constant": 0.5, "zero": 0.0}
SCALED_CHANNELS = {kind: (value, 1.5, -0.5) for kind, value in CHANNELS.items()}
MEAN, VARIANCE = given([0.5, -1.0]), given([0.8, 2.0])


def _with_a_diagonal_of_ones(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Numbers whose integer part is 1 on the diagonal: PyTorch reads no more of it."""
    return random.uniform(-1.5, 1.5, shape) * (1 - numpy.eye(shape[0])) + numpy.diag(random.uniform(1.3, 1.7, shape[0]))


NORMALISATION = family(
    "Normalisation",
    row(
        "standardize(x, eps=1e-05)",
        "(x - mean) / sqrt(variance + eps) along the last axis.",
        array(2, 3),
        options=EPS,
        smooth={"constant row": [[1.0, 1.0, 1.0], [0.5, -1.0, 2.0]], "constant": 0.5, "zero": 0.0},
    ),
    row(
        "layer_norm(x, weight, bias, eps=1e-05)",
        "standardize(x) * weight + bias.",
        array(2, 3),
        array(3),
        array(3),
        options=EPS,
        smooth={
            "constant row": ([[1.0, 1.0, 1.0], [0.5, -1.0, 2.0]], 1.5, -0.5),
            "constant": (0.5, 1.5, -0.5),
            "zero weight": ([[1.0, 2.0, -1.0], [0.5, -1.0, 2.0]], [0.0, 1.0, 2.0], 0.0),
        },
    ),
    row(
        "layer_norm_over_two_axes(x, weight, bias, eps=1e-05)",
        "layer_norm with the mean and variance of the last two axes.",
        array(2, 2, 3),
        array(2, 3),
        array(2, 3),
        options=EPS,
        smooth=SCALED_CHANNELS,
    ),
    row(
        "batch_norm(x, eps=1e-05)",
        "Each channel (second axis) less its mean, over sqrt(variance + eps): as in training.",
        array(3, 2, 2),
        options=EPS,
        smooth=CONSTANT,
    ),
    row(
        "affine_batch_norm(x, weight, bias, eps=1e-05)",
        "batch_norm(x) * weight + bias, both by channel.",
        array(3, 2, 2),
        array(2),
        array(2),
        options=EPS,
        smooth=SCALED,
    ),
    row(
        "batch_norm_of_rows(x, eps=1e-05)",
        "batch_norm of a matrix: each column is a channel.",
        array(4, 2),
        options=EPS,
        smooth=CHANNELS,
    ),
    row(
        "affine_batch_norm_of_rows(x, weight, bias, eps=1e-05)",
        "batch_norm_of_rows(x) * weight + bias, both by channel.",
        array(4, 2),
        array(2),
        array(2),
        options=EPS,
        smooth=SCALED_CHANNELS,
    ),
    row(
        "batch_norm_by_running_statistics(x, mean, variance, weight, bias, eps=1e-05)",
        "(x - mean) / sqrt(variance + eps) * weight + bias by channel: as in evaluation.",
        array(3, 2, 2),
        MEAN,
        VARIANCE,
        array(2),
        array(2),
        options=EPS,
        smooth=SCALED,
    ),
    row(
        "instance_norm(x, eps=1e-05)",
        "Each channel of each sample less its mean, over sqrt(variance + eps).",
        array(2, 2, 3),
        options=EPS,
        smooth=CHANNELS,
    ),
    row(
        "affine_instance_norm(x, weight, bias, eps=1e-05)",
        "instance_norm(x) * weight + bias, both by channel.",
        array(2, 2, 3),
        array(2),
        array(2),
        options=EPS,
        smooth=SCALED_CHANNELS,
    ),
    row(
        "instance_norm_by_running_statistics(x, mean, variance, weight, bias, eps=1e-05)",
        "(x - mean) / sqrt(variance + eps) * weight + bias by channel: as in evaluation.",
        array(2, 2, 3),
        MEAN,
        VARIANCE,
        array(2),
        array(2),
        options=EPS,
        smooth=SCALED_CHANNELS,
    ),
    row(
        "group_norm(x, groups, eps=1e-05)",
        "Each group of channels of each sample less its mean, over sqrt(variance + eps).",
        array(2, 4, 2),
        options=[{"groups": 2, "eps": 0.1}, {"groups": 1}, {"groups": 4}],
        smooth=CHANNELS,
    ),
    row(
        "affine_group_norm(x, weight, bias, groups, eps=1e-05)",
        "group_norm(x) * weight + bias, both by channel.",
        array(2, 4, 2),
        array(4),
        array(4),
        options=[{"groups": 2, "eps": 0.1}, {"groups": 1}, {"groups": 4}],
        smooth=SCALED_CHANNELS,
    ),
    row(
        "group_norm_of_one_element(x, groups, eps=1e-05)",
        "x plus group_norm(x) where a group has one element: x.",
        array(2, 3, 1),
        options=[{"groups": 3, "eps": 0.1}, {"groups": 3}],
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "standardize_one_element(x, eps=1e-05)",
        "x plus standardize(x) where a row has one element: x.",
        array(3, 1),
        options=EPS,
        smooth={"zero": 0.0},
        degree=1,
    ),
    row(
        "standardize_by(x, mean, variance, eps=1e-05)",
        "(x - mean) / sqrt(variance + eps), for another mean and variance.",
        array(2, 3),
        array(3),
        array(3, low=0),
        options=EPS,
        smooth={"no variance": (0.7, 0.2, 0.0)},
    ),
    row(
        "standardize_where(x, mask, eps=1e-05)",
        "standardize with the mean and variance of the elements where the mask is true.",
        array(2, 3),
        given([[True, False, True], [False, True, False]]),
        options=EPS,
        smooth={"constant": 0.5, "large where false": [[1.0, 800.0, 2.0], [900.0, 1.0, 800.0]]},
    ),
    row(
        "weight_norm(x, length, direction)",
        "x weight^T, where each row of the weight has a length and the direction of another vector.",
        array(2, 3),
        array(2, 1),
        array(2, 3),
        smooth={"zero length": (0.5, 0.0, [[1.0, 2.0, -1.0], [0.5, 0.0, 1.0]])},
        degree=2,
    ),
    row(
        "spectral_norm_of_weight(x, weight, left, right)",
        "x weight^T / (left^T weight right), for two vectors: those of the largest singular value when it is trained.",
        array(2, 3),
        array(2, 3, low=0.0),
        given([0.6, 0.8]),
        given([0.48, 0.64, 0.6]),
        smooth={"equal": (0.5, 1.0)},
        degree=1,
    ),
    row(
        "orthogonal_weight_by_exponential(x, matrix)",
        "x exp(s)^T, where s is the lower triangle less its transpose.",
        array(2, 3),
        array(3, 3),
        smooth={"zero": (0.5, 0.0), "equal": (0.5, 0.7)},
    ),
    row(
        "orthogonal_weight_by_cayley(x, matrix)",
        "x ((1 - s / 2)^-1 (1 + s / 2))^T, where s is the lower triangle less its transpose.",
        array(2, 3),
        array(3, 3),
        smooth={"zero": (0.5, 0.0), "equal": (0.5, 0.7)},
    ),
    row(
        "orthogonal_weight_by_householder(x, matrix)",
        "x q^T, for the product q of reflections at the columns of the lower triangle, whose diagonal counts as 1.",
        array(2, 3),
        array(3, 3, draw=_with_a_diagonal_of_ones),
        smooth={"zero": (0.5, [[1.5, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.5]])},
    ),
    row(
        "rms_norm(x, eps=1e-05)",
        "x / sqrt(mean(x^2) + eps) along the last axis.",
        array(2, 3),
        options=EPS,
        smooth={"constant": 0.5, "zero": 0.0, "zero row": [[0.0, 0.0, 0.0], [0.5, -1.0, 2.0]]},
    ),
    row(
        "weighted_rms_norm(x, weight, eps=1e-05)",
        "rms_norm(x) * weight.",
        array(2, 3),
        array(3),
        options=EPS,
        smooth={"constant": (0.5, 1.5), "zero": (0.0, 1.5), "zero weight": (0.7, 0.0)},
    ),
    row(
        "local_response_norm(x, size, alpha=0.0001, beta=0.75, k=1.0)",
        "x / (k + alpha * mean of x^2 over `size` neighbouring channels)^beta.",
        array(2, 4, 3),
        options=[{"size": 3, "alpha": 0.5}, {"size": 2, "alpha": 0.5, "beta": 0.5, "k": 2.0}, {"size": 1}],
        smooth={"zero": 0.0, "equal": 1.0},
    ),
)
