"""Interpolation and resampling, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _interpolated(mode: str) -> Spelling:
    """With corners, which only some modes know."""
    return lambda torch, x, size, align_corners=False: torch.nn.functional.interpolate(
        x, size, mode=mode, align_corners=align_corners
    )


def _nearest(mode: str) -> Spelling:
    return lambda torch, x, size: torch.nn.functional.interpolate(x, size, mode=mode)


def _resized(mode: str) -> Spelling:
    return lambda torch, x, size, antialias=True: torch.nn.functional.interpolate(
        x, size, mode=mode, align_corners=False, antialias=antialias
    )


def _sampled(mode: str) -> Spelling:
    def spelt(torch: Any, x: Any, grid: Any, padding_mode: str = "zeros", align_corners: bool = False) -> Any:
        return torch.nn.functional.grid_sample(x, grid, mode, padding_mode, align_corners)

    return spelt


def _grid(torch: Any, theta: Any, size: Any, align_corners: bool = False) -> Any:
    return torch.nn.functional.affine_grid(theta, size, align_corners=align_corners)


INTERPOLATION: Mapping[str, Spelling] = {
    **{f"interpolate_{mode}": _interpolated(mode) for mode in ("linear", "bilinear", "bicubic", "trilinear")},
    **{f"interpolate_{mode}": _nearest(mode) for mode in ("nearest", "area")},
    "interpolate_nearest_exact": _nearest("nearest-exact"),
    "interpolate_one_pixel": lambda torch, x, size, mode, align_corners: torch.nn.functional.interpolate(
        x, size, mode=mode, align_corners=align_corners
    ),
    "interpolate_antialiased": lambda torch, x, size: torch.nn.functional.interpolate(
        x, size, mode="bicubic", align_corners=False, antialias=True
    ),
    "interpolate_by_factor": lambda torch, x, scale_factor, recompute_scale_factor=False: (
        torch.nn.functional.interpolate(
            x,
            scale_factor=scale_factor,
            mode="bilinear",
            align_corners=False,
            recompute_scale_factor=recompute_scale_factor,
        )
    ),
    "resize_linear": _resized("bilinear"),
    "grid_sample": _sampled("bilinear"),
    "grid_sample_within_the_border": lambda torch, x, grid, align_corners=False: torch.nn.functional.grid_sample(
        x, grid, padding_mode="border", align_corners=align_corners
    ),
    "grid_sample_reflected": lambda torch, x, grid, align_corners=True: torch.nn.functional.grid_sample(
        x, grid, padding_mode="reflection", align_corners=align_corners
    ),
    "grid_sample_bicubic": _sampled("bicubic"),
    "grid_sample_nearest": _sampled("nearest"),
    "grid_sample_volume": _sampled("bilinear"),
    "affine_grid": _grid,
    "affine_grid_of_volume": _grid,
    "affine_grid_of_unit_size": _grid,
}
