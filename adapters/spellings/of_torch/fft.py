"""Discrete Fourier transforms, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _along_an_axis(name: str) -> Spelling:
    return lambda torch, x, n=None, axis=-1, norm=None: getattr(torch.fft, name)(x, n=n, dim=axis, norm=norm)


def _along_axes(name: str) -> Spelling:
    def spelt(torch: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        if name.endswith("2") and axes is None:
            axes = (-2, -1)
        return getattr(torch.fft, name)(x, s=s, dim=axes, norm=norm)

    return spelt


FFT: Mapping[str, Spelling] = {
    **{name: _along_an_axis(name) for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]},
    **{name: _along_axes(name) for name in ["fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"]},
    **{name: _along_axes(name) for name in ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"]},
    "odd_rfft": lambda torch, x, n: torch.fft.rfft(x, n),
    "odd_irfft": lambda torch, x, n: torch.fft.irfft(x, n),
    "fftshift": lambda torch, x, axes=None: torch.fft.fftshift(x, dim=axes),
    "ifftshift": lambda torch, x, axes=None: torch.fft.ifftshift(x, dim=axes),
    "stft": lambda torch, x, window, hop=None, center=True, normalized=False, onesided=True: torch.stft(
        x, 4, hop, window=window, center=center, normalized=normalized, onesided=onesided, return_complex=True
    ),
    "istft": lambda torch, x, window, hop=None, center=True, normalized=False, length=None: torch.istft(
        x, 4, hop, window=window, center=center, normalized=normalized, length=length
    ),
}
