"""Interpolation and resampling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy

from conformance.operations.reasons import LINEAR
from conformance.operations.row import Operation, array, family, row

Variants: TypeAlias = Sequence[Mapping[str, Any]]

# Larger and smaller, and by corners that stay where they are.
LINE: Variants = [{"size": 7}, {"size": 3}, {"size": 6, "align_corners": True}]
IMAGE: Variants = [{"size": (3, 5)}, {"size": (2, 2)}, {"size": (4, 3), "align_corners": True}]
VOLUME: Variants = [{"size": (3, 2, 3)}, {"size": (1, 2, 3)}, {"size": (3, 3, 2), "align_corners": True}]
BORDERS: Variants = [
    {},
    {"align_corners": True},
    {"padding_mode": "border"},
    {"padding_mode": "reflection"},
    {"padding_mode": "reflection", "align_corners": True},
]
RESIZED: Variants = [{"size": (4, 6)}, {"size": (2, 2)}, {"size": (2, 2), "antialias": False}]


# An image, and the centre of its outer pixels where -1 and 1 are the borders.
SQUARE = [[[[1, 2, 4], [3, 0, 7], [5, 6, 8]]]]
TWO_THIRDS = 2 / 3


def _signs(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    return numpy.where(random.random(shape) < 0.5, -1.0, 1.0)


def _between_pixels(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Coordinates for three pixels from -1 to 1, away from their centres: some inside, some beyond the last."""
    inside = random.uniform(0.2, 0.5, shape)
    beyond = random.uniform(1.15, 1.25, shape)
    return _signs(random, shape) * numpy.where(random.random(shape) < 0.7, inside, beyond)


def _near_pixels(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Coordinates for three pixels from -1 to 1, each with a unique nearest pixel."""
    return _signs(random, shape) * random.choice([0.1, 0.85], shape) + random.uniform(-0.05, 0.05, shape)


def _abscissas(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Increasing numbers about 1 apart: 0, 1, 2, ..."""
    return numpy.arange(shape[0]) + random.uniform(-0.1, 0.1, shape)


def _off_abscissas(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Numbers between the abscissas, and two outside."""
    return numpy.arange(-0.5, shape[0] - 1) + random.uniform(-0.2, 0.2, shape)


def _off_places(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    """Coordinates away from the places 0, 1, 2 and from the middle between them."""
    return random.integers(0, 2, shape) + random.uniform(0.2, 0.35, shape)


def _scales(random: numpy.random.Generator, shape: tuple[int, ...]) -> Any:
    return random.uniform(1.2, 1.4, shape)


def _interpolated(mode: str, meaning: str, shape: tuple[int, ...], options: Any) -> Operation:
    return row(f"interpolate_{mode}(x, size, align_corners=False)", meaning, array(*shape), options=options)


def _nearest(mode: str, meaning: str) -> Operation:
    options: Variants = [{"size": (3, 5)}, {"size": (2, 2)}]
    return row(f"interpolate_{mode}(x, size)", meaning, array(1, 1, 2, 3), options=options)


def _resized(method: str, meaning: str) -> Operation:
    return row(f"resize_{method}(x, size, antialias=True)", meaning, array(1, 1, 3, 4), options=RESIZED)


INTERPOLATION = family(
    "Interpolation",
    _nearest("nearest", "The image resized: each pixel is that at or before its place."),
    _nearest("nearest_exact", "The image resized: each pixel is the nearest one."),
    _interpolated("linear", "The line resized, linear between its numbers.", (1, 2, 4), LINE),
    _interpolated("bilinear", "The image resized, linear between pixels along each axis.", (1, 1, 2, 3), IMAGE),
    _interpolated("bicubic", "The image resized, cubic along each axis.", (1, 1, 3, 3), IMAGE),
    _interpolated("trilinear", "The volume resized, linear between voxels along each axis.", (1, 1, 2, 2, 2), VOLUME),
    _nearest("area", "The image resized: each pixel is a mean over an area."),
    row(
        "interpolate_one_pixel(x, size, mode, align_corners)",
        "The image resized of one pixel: that pixel everywhere.",
        array(1, 2, 1, 1),
        options=[
            {"size": (2, 3), "mode": mode, "align_corners": corners}
            for mode in ("bilinear", "bicubic")
            for corners in (False, True)
        ],
    ),
    row(
        "interpolate_antialiased(x, size)",
        "The image resized by a kernel that is cubic, and wider for a smaller image.",
        array(1, 1, 3, 4),
        options=[{"size": (2, 2)}, {"size": (4, 6)}, {"size": (3, 4)}],
    ),
    row(
        "interpolate_by_factor(x, scale_factor, recompute_scale_factor=False)",
        "interpolate_bilinear, with a factor in place of a size.",
        array(1, 1, 3, 3),
        options=[
            {"scale_factor": 1.5},
            {"scale_factor": (0.7, 2.0)},
            {"scale_factor": 1.4, "recompute_scale_factor": True},
        ],
    ),
    _resized("nearest", "The image resized: each pixel is the nearest one."),
    _resized("linear", "The image resized by a kernel that is linear; smaller images by a wider one."),
    _resized("cubic", "The image resized by a kernel that is cubic."),
    _resized("lanczos3", "The image resized by a Lanczos kernel of radius 3."),
    _resized("lanczos5", "The image resized by a Lanczos kernel of radius 5."),
    row(
        "scale_and_translate(x, scale, translation, method='linear', antialias=True)",
        "The image scaled and moved, in an image of the same size.",
        array(3, 4),
        array(2, draw=_scales),
        array(2, low=0.15, high=0.4),
        options=[{}, {"method": "cubic"}, {"method": "lanczos3", "antialias": False}],
        smooth={"constant image": (1.0, 1.3, 0.25)},
        order=1,
    ),
    row(
        "grid_sample(x, grid, padding_mode='zeros', align_corners=False)",
        "The image at places from -1 to 1, linear between pixels.",
        array(1, 1, 3, 3),
        array(1, 2, 2, 2, draw=_between_pixels),
        options=BORDERS,
        smooth={"far outside": (SQUARE, [[[[90.0, 0.3], [0.3, -1e6]], [[0.2, 0.3], [1e12, 0.3]]]])},
        kinks={
            "pixel": (SQUARE, [[[[0, 0.3], [0.3, 0.4]], [[0.2, 0.3], [0.4, 0.3]]]]),
            "last pixel": (SQUARE, [[[[TWO_THIRDS, 0.3], [0.3, 0.4]], [[0.2, 0.3], [0.4, 0.3]]]]),
            "end of the border": (SQUARE, [[[[2 * TWO_THIRDS, 0.3], [0.3, 0.4]], [[0.2, 0.3], [0.4, 0.3]]]]),
        },
    ),
    row(
        "grid_sample_within_the_border(x, grid, align_corners=False)",
        "grid_sample, where a place outside counts as the nearest one inside.",
        array(1, 1, 3, 3),
        array(1, 2, 2, 2, draw=_between_pixels),
        options=[{}, {"align_corners": True}],
        smooth={"far outside": (SQUARE, [[[[90.0, 0.3], [0.3, -1e6]], [[0.2, 0.3], [1e12, 0.3]]]])},
        kinks={"last pixel": (SQUARE, [[[[TWO_THIRDS, 0.3], [0.3, 0.4]], [[0.2, 0.3], [0.4, 0.3]]]])},
    ),
    row(
        "grid_sample_reflected(x, grid, align_corners=True)",
        "grid_sample, where places outside are reflected at the centres of the outer pixels.",
        array(1, 1, 3, 3),
        array(1, 2, 2, 2, draw=_between_pixels),
        options=[{"align_corners": True}],
        smooth={"far outside": (SQUARE, [[[[5.3, 0.3], [0.3, -7.4]], [[0.2, 0.3], [100.3, 0.3]]]])},
        kinks={"last pixel": (SQUARE, [[[[1.0, 0.3], [0.3, 0.4]], [[0.2, 0.3], [0.4, 0.3]]]])},
    ),
    row(
        "grid_sample_bicubic(x, grid, padding_mode='zeros', align_corners=False)",
        "The image at places from -1 to 1, cubic between pixels.",
        array(1, 1, 3, 3),
        array(1, 2, 2, 2, draw=_between_pixels),
        options=BORDERS,
        smooth={"far outside": (1.0, 3.5)},
    ),
    row(
        "grid_sample_nearest(x, grid, padding_mode='zeros', align_corners=False)",
        "The nearest pixel of the image at places from -1 to 1.",
        array(1, 1, 3, 3),
        array(1, 2, 2, 2, draw=_near_pixels),
        options=BORDERS,
    ),
    row(
        "grid_sample_volume(x, grid, padding_mode='zeros', align_corners=False)",
        "The volume at places from -1 to 1, linear between voxels.",
        array(1, 1, 3, 3, 3),
        array(1, 1, 1, 2, 3, draw=_between_pixels),
        options=BORDERS,
        smooth={"far outside": (1.0, 3.5)},
    ),
    row(
        "affine_grid(theta, size, align_corners=False)",
        "The places of pixels, from -1 to 1, after an affine map for each image.",
        array(1, 2, 3),
        options=[{"size": (1, 1, 2, 3)}, {"size": (1, 1, 3, 2), "align_corners": True}],
    ),
    row(
        "affine_grid_of_volume(theta, size, align_corners=False)",
        "The places of voxels, from -1 to 1, after an affine map for each volume.",
        array(1, 3, 4),
        options=[{"size": (1, 1, 2, 3, 2)}, {"size": (1, 1, 2, 2, 2), "align_corners": True}],
    ),
    row(
        "affine_grid_of_unit_size(theta, size, align_corners=False)",
        "affine_grid of images one pixel high or wide.",
        array(1, 2, 3),
        options=[{"size": (1, 1, 1, 2)}, {"size": (1, 1, 3, 1), "align_corners": True}],
    ),
    row(
        "interp(x, xp, fp)",
        "Linear interpolation at x of the points xp, fp; constant outside.",
        array(4, draw=_off_abscissas),
        array(4, draw=_abscissas),
        array(4),
        smooth={"outside": ([-3, -1, 4, 9], [0, 1, 2, 3], [1, 3, 2, 5])},
        kinks={
            "abscissa": ([1, 0.5, 1.5, 2.5], [0, 1, 2, 3], [1, 3, 4, 2]),
            "first abscissa": ([0, 0.5, 1.5, 2.5], [0, 1, 2, 3], [1, 3, 4, 2]),
            "last abscissa": ([3, 0.5, 1.5, 2.5], [0, 1, 2, 3], [1, 3, 4, 2]),
        },
        degree=1,
    ),
    row(
        "map_coordinates(x, coordinates, order, mode='constant')",
        "The array at places between its elements: of order 0 the nearest, of order 1 linear.",
        array(3, 3),
        array(2, 4, draw=_off_places),
        options=[
            {"order": 1},
            {"order": 0},
            {"order": 1, "mode": "nearest"},
            {"order": 1, "mode": "mirror"},
            {"order": 1, "mode": "wrap"},
        ],
        kinks={"element": ([[1, 2, 4], [3, 0, 7], [5, 6, 8]], [[1, 0.3, 0.4, 0.3], [0.3, 0.4, 0.3, 0.3]])},
    ),
    row(
        "interpolate_on_grid(x, values, method='linear')",
        "Values on the grid 0, 1, 2 by 0, 1, 2, at pairs of numbers: linear between them, or the nearest.",
        array(3, 2, draw=_off_places),
        array(3, 3),
        options=[{}, {"method": "nearest"}],
        kinks={"node": ([[1, 0.3], [0.3, 0.4], [1.3, 0.3]], [[1, 2, 4], [3, 0, 7], [5, 6, 8]])},
    ),
    ordinary=LINEAR,
)
