"""Interpolation and resampling, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _resized(method: str) -> Spelling:
    return lambda jax, x, size, antialias=True: jax.image.resize(x, (*x.shape[:-2], *size), method, antialias)


def _scaled(jax: Any, x: Any, scale: Any, translation: Any, method: str = "linear", antialias: bool = True) -> Any:
    return jax.image.scale_and_translate(x, x.shape, (0, 1), scale, translation, method, antialias)


def _on_grid(jax: Any, x: Any, values: Any, method: str = "linear") -> Any:
    places = jax.numpy.arange(3.0)
    return jax.scipy.interpolate.RegularGridInterpolator((places, places), values, method)(x)


INTERPOLATION: Mapping[str, Spelling] = {
    **{f"resize_{method}": _resized(method) for method in ("nearest", "linear", "cubic", "lanczos3", "lanczos5")},
    "interpolate_antialiased": lambda jax, x, size: jax.image.resize(x, (*x.shape[:-2], *size), "cubic"),
    "scale_and_translate": _scaled,
    "map_coordinates": lambda jax, x, coordinates, order, mode="constant": jax.scipy.ndimage.map_coordinates(
        x, list(coordinates), order, mode
    ),
    "interpolate_on_grid": _on_grid,
}
