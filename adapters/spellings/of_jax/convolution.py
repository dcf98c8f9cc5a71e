"""Convolution and pooling, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same

# The axes of weights and outputs of a convolution over 1, 2 or 3 axes, as `jax.lax.conv_general_dilated` has them.
LAYOUTS = {3: "NCW OIW NCW", 4: "NCHW OIHW NCHW", 5: "NCDHW OIDHW NCDHW"}


def _each(count: int, value: Any) -> tuple[int, ...]:
    """A number for each axis."""
    return value if isinstance(value, tuple) else (value,) * count


def _pads(count: int, padding: Any) -> list[tuple[int, int]]:
    return [(one, one) for one in _each(count, padding)]


def _convolved(jax: Any, x: Any, weight: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
    count = x.ndim - 2
    return jax.lax.conv_general_dilated(
        x, weight, _each(count, stride), _pads(count, padding), rhs_dilation=_each(count, dilation)
    )


def _transposed(
    jax: Any, x: Any, weight: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1
) -> Any:
    count = x.ndim - 2
    reaches = [by * (size - 1) for by, size in zip(_each(count, dilation), weight.shape[2:], strict=True)]
    return jax.lax.conv_transpose(
        x,
        weight,
        _each(count, stride),
        [(reach - padding, reach - padding + output_padding) for reach in reaches],
        rhs_dilation=_each(count, dilation),
        dimension_numbers=tuple(LAYOUTS[x.ndim].split()),
        transpose_kernel=True,
    )


def _grouped(jax: Any, x: Any, weight: Any, groups: int) -> Any:
    count = x.ndim - 2
    return jax.lax.conv_general_dilated(x, weight, (1,) * count, "VALID", feature_group_count=groups)


def _windows(jax: Any, x: Any, size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    columns = jax.lax.conv_general_dilated_patches(
        x, _each(2, size), _each(2, stride), _pads(2, padding), rhs_dilation=_each(2, dilation)
    )
    return columns.reshape(*columns.shape[:2], -1)


def _reduced(start: float, function: str) -> Spelling:
    def spelt(jax: Any, x: Any, size: Any, stride: Any = None) -> Any:
        return jax.lax.reduce_window(
            x, x.dtype.type(start), getattr(jax.lax, function), _each(2, size), _each(2, stride or size), "VALID"
        )

    return spelt


CONVOLUTION: Mapping[str, Spelling] = {
    "conv1d": _convolved,
    "conv2d": _convolved,
    "conv3d": _convolved,
    "grouped_conv1d": _grouped,
    "grouped_conv2d": _grouped,
    "conv_transpose1d": _transposed,
    "conv_transpose2d": _transposed,
    "conv_transpose3d": _transposed,
    "conv2d_of_spread_input": lambda jax, x, weight, spread, padding=0: jax.lax.conv_general_dilated(
        x, weight, (1, 1), _pads(2, padding), lhs_dilation=_each(2, spread)
    ),
    "conv1d_of_groups_of_samples": lambda jax, x, weight, groups: jax.lax.conv_general_dilated(
        x, weight, (1,), "VALID", batch_group_count=groups
    ),
    "conv_transpose2d_of_a_size": lambda jax, x, weight, stride=1, padding="SAME": jax.lax.conv_transpose(
        x, weight, _each(2, stride), padding, dimension_numbers=("NCHW", "IOHW", "NCHW")
    ),
    "conv_local": lambda jax, x, weight: jax.lax.conv_general_dilated_local(x, weight, (1,), "VALID", (2,)),
    "image_windows": _windows,
    **same("jax.scipy.signal", "convolve2d correlate2d fftconvolve"),
    "window_sum": _reduced(0.0, "add"),
    "window_max": _reduced(-float("inf"), "max"),
    "window_min": _reduced(float("inf"), "min"),
    "window_prod": _reduced(1.0, "mul"),
}
