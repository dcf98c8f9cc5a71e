"""Convolution and pooling, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same


def _largest(name: str) -> Spelling:
    """A function that PyTorch dispatches by `return_indices`: its options are not in the signature."""
    return lambda torch, x, size, stride=None, padding=0, dilation=1, ceil_mode=False: getattr(
        torch.nn.functional, name
    )(x, size, stride, padding, dilation, ceil_mode)


_CONVOLUTION: Mapping[str, Spelling] = {
    **same("torch.nn.functional", "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"),
    "grouped_conv1d": lambda torch, x, weight, groups: torch.nn.functional.conv1d(x, weight, groups=groups),
    "grouped_conv2d": lambda torch, x, weight, groups: torch.nn.functional.conv2d(x, weight, groups=groups),
    "biased_conv1d": "torch.nn.functional.conv1d",
    "biased_conv2d": "torch.nn.functional.conv2d",
    "grouped_conv_transpose2d": lambda torch, x, weight, groups, stride=1: torch.nn.functional.conv_transpose2d(
        x, weight, groups=groups, stride=stride
    ),
    "conv_tbc": lambda torch, x, weight, bias, padding=0: torch.nn.functional.conv_tbc(x, weight, bias, padding),
    "fold": "torch.nn.functional.fold",
    "image_windows": "torch.nn.functional.unfold",
}
_POOLING: Mapping[str, Spelling] = {
    **same("torch.nn.functional", "avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d lp_pool3d"),
    **{name: _largest(name) for name in ("max_pool1d", "max_pool2d", "max_pool3d")},
    **same("torch.nn.functional", "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d"),
    **same("torch.nn.functional", "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d"),
    "max_pool2d_with_indices": lambda torch, x, size: tuple(
        torch.nn.functional.max_pool2d(x, size, return_indices=True)
    ),
    "max_unpool1d": lambda torch, x, indices, size, output_size=None: torch.nn.functional.max_unpool1d(
        x, indices, size, output_size=output_size
    ),
    "max_unpool2d": lambda torch, x, indices, size, output_size=None: torch.nn.functional.max_unpool2d(
        x, indices, size, output_size=output_size
    ),
    **same("torch.nn.functional", "max_unpool3d"),
    "fractional_max_pool2d": lambda torch, x, fractions, size, output_size: torch.nn.functional.fractional_max_pool2d(
        x, size, output_size, _random_samples=fractions.to(x.dtype)
    ),
    "fractional_max_pool3d": lambda torch, x, fractions, size, output_size: torch.nn.functional.fractional_max_pool3d(
        x, size, output_size, _random_samples=fractions.to(x.dtype)
    ),
}
CONVOLUTION: Mapping[str, Spelling] = {**_CONVOLUTION, **_POOLING}
