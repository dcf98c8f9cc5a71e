"""Discrete Fourier transforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from conformance.operations.reasons import LINEAR, MULTILINEAR
from conformance.operations.row import Operation, array, family, row

Variants: TypeAlias = Sequence[Mapping[str, Any]]

# Options of a transform along an axis: cut short, padded with zeros, along another axis, and scaled.
ALONG_AN_AXIS: Variants = (
    {},
    {"n": 3},
    {"n": 7},
    {"axis": 0, "norm": "ortho"},
    {"n": 5, "norm": "forward"},
)
# Transforms of real numbers, of even length. Odd lengths are separate rows, as engines have other rules for them.
ALONG_AN_EVEN_AXIS: Variants = (
    {},
    {"n": 4},
    {"n": 8},
    {"axis": 0, "norm": "ortho"},
    {"n": 6, "norm": "forward"},
)
ODD: Variants = ({"n": 5}, {"n": 3}, {"n": 7})
ALONG_TWO: Variants = ({}, {"s": (3, 2)}, {"s": (2, 6), "norm": "ortho"}, {"axes": (1, 0), "norm": "forward"})
ALONG_SOME: Variants = (
    {},
    {"s": (3, 6), "axes": (0, 2)},
    {"axes": (1,), "norm": "ortho"},
    {"axes": (2, 0, 1), "norm": "forward"},
    {"axes": (-1,)},
)
# A window over a Fourier transform is never zero, so that its inverse exists.
WINDOW = array(4, low=0.5, high=1.5)


def _complex(ad: Any, x: Any) -> Any:
    return x * (1 + 0.5j)


def _along_an_axis(name: str, meaning: str, **more: Any) -> Operation:
    return row(f"{name}(x, n=None, axis=-1, norm=None)", meaning, array(2, 5), options=ALONG_AN_AXIS, **more)


def _along_an_even_axis(name: str, meaning: str, **more: Any) -> Operation:
    return row(f"{name}(x, n=None, axis=-1, norm=None)", meaning, array(2, 6), options=ALONG_AN_EVEN_AXIS, **more)


def _along_two(name: str, meaning: str, **more: Any) -> Operation:
    return row(f"{name}(x, s=None, axes=(-2, -1), norm=None)", meaning, array(2, 2, 4), options=ALONG_TWO, **more)


def _along_some(name: str, meaning: str, **more: Any) -> Operation:
    return row(f"{name}(x, s=None, axes=None, norm=None)", meaning, array(2, 2, 4), options=ALONG_SOME, **more)


def _cosine(name: str, meaning: str) -> Operation:
    options: Variants = ({}, {"n": 3}, {"n": 7, "norm": "ortho"}, {"axis": 0})
    return row(f"{name}(x, n=None, axis=-1, norm=None)", meaning, array(2, 5), options=options)


def _cosines(name: str, meaning: str) -> Operation:
    options: Variants = ({}, {"s": (2, 5), "norm": "ortho"}, {"s": (3, 2), "axes": (1, 0)}, {"axes": (-1,)})
    return row(f"{name}(x, s=None, axes=None, norm=None)", meaning, array(2, 3), options=options)


FFT = family(
    "Fourier transforms",
    _along_an_axis("fft", "Fourier transform along an axis, cut or padded with zeros to n.", complex=True),
    _along_an_axis("ifft", "Inverse of fft.", complex=True),
    _along_an_even_axis("rfft", "fft of real numbers, without what follows by symmetry."),
    _along_an_even_axis("irfft", "Inverse of rfft, to n real numbers.", complex=True),
    row("odd_rfft(x, n)", "rfft of an odd number of numbers.", array(2, 5), options=ODD),
    row("odd_irfft(x, n)", "irfft to an odd number of numbers.", array(2, 3), options=ODD, complex=True),
    _along_an_axis("hfft", "fft of what is symmetric, and known by its first half, to n real numbers.", complex=True),
    _along_an_axis("ihfft", "Inverse of hfft."),
    _along_two("fft2", "fft along two axes.", complex=True),
    _along_two("ifft2", "Inverse of fft2.", complex=True),
    _along_two("rfft2", "rfft along the last of two axes, fft along the other."),
    _along_two("irfft2", "Inverse of rfft2.", complex=True),
    _along_two("hfft2", "hfft along the last of two axes, fft along the other.", complex=True),
    _along_two("ihfft2", "Inverse of hfft2."),
    _along_some("fftn", "fft along all axes, or some.", complex=True),
    _along_some("ifftn", "Inverse of fftn.", complex=True),
    _along_some("rfftn", "rfft along the last axis, fft along the others."),
    _along_some("irfftn", "Inverse of rfftn.", complex=True),
    _along_some("hfftn", "hfft along the last axis, fft along the others.", complex=True),
    _along_some("ihfftn", "Inverse of hfftn."),
    row(
        "fftshift(x, axes=None)",
        "Halves of an axis exchanged: the zero frequency in the middle.",
        array(2, 5),
        options=[{}, {"axes": 0}, {"axes": (-1,)}],
        complex=True,
    ),
    row(
        "ifftshift(x, axes=None)",
        "Inverse of fftshift.",
        array(2, 5),
        options=[{}, {"axes": 0}, {"axes": (-1,)}],
        complex=True,
    ),
    _cosine("dct", "Cosine transform of type II."),
    _cosine("idct", "Inverse of dct."),
    _cosines("dctn", "dct along all axes, or some."),
    _cosines("idctn", "Inverse of dctn."),
    row(
        "stft(x, window, hop=None, center=True, normalized=False, onesided=True)",
        "Fourier transforms of stretches of x, each times the window; centred ones reach over its ends, reflected.",
        array(2, 9),
        array(4),
        options=[{}, {"hop": 2}, {"hop": 3, "center": False}, {"normalized": True}, {"onesided": False}],
        ordinary=MULTILINEAR,
    ),
    row(
        "istft(x, window, hop=None, center=True, normalized=False, length=None)",
        "Inverse of stft: overlapping stretches are added, and divided by the sum of the squares of the window.",
        array(3, 4, enters=_complex),
        WINDOW,
        options=[{}, {"hop": 2}, {"normalized": True}, {"hop": 2, "length": 5}],
        smooth={"zero": (0.0, 1.0), "window of ones": ([[1, 2, 0, 1], [0, 1, 1, 0], [1, 1, 2, 1]], 1.0)},
    ),
    row(
        "spectrogram(x, overlap=None, padded_to=None)",
        "Fourier transforms of overlapping stretches of x, each times a Hann window, as scipy.signal.stft.",
        array(9),
        options=[{}, {"overlap": 3, "padded_to": 6}],
    ),
    row(
        "inverse_spectrogram(x, overlap=None)",
        "Inverse of spectrogram, as scipy.signal.istft.",
        array(3, 4, enters=_complex),
        options=[{}, {"overlap": 3}],
    ),
    row(
        "welch(x, overlap=None, scaling='density', average='mean')",
        "Power spectral density: mean of the squares of the transforms of overlapping stretches.",
        array(9),
        options=[{}, {"overlap": 3, "scaling": "spectrum"}, {"average": "median"}],
        smooth={"zero": 0.0, "constant": 1.5},
        degree=2,
    ),
    row(
        "csd(x, y, overlap=None, scaling='density')",
        "Cross power spectral density of two signals.",
        array(9),
        array(9),
        options=[{}, {"overlap": 3, "scaling": "spectrum"}],
        ordinary=MULTILINEAR,
    ),
    row(
        "detrend(x, axis=-1, kind='linear')",
        "x less its mean, or less the line that fits it best.",
        array(2, 5),
        options=[{}, {"kind": "constant"}, {"axis": 0, "kind": "constant"}],
    ),
    ordinary=LINEAR,
)
