"""Discrete Fourier transforms, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

FFT: Mapping[str, Spelling] = {
    **same("jax.scipy.fft", "dctn idctn"),
    # The type is the second parameter of these two.
    "dct": lambda jax, x, n=None, axis=-1, norm=None: jax.scipy.fft.dct(x, 2, n, axis, norm),
    "idct": lambda jax, x, n=None, axis=-1, norm=None: jax.scipy.fft.idct(x, 2, n, axis, norm),
    "spectrogram": lambda jax, x, overlap=None, padded_to=None: jax.scipy.signal.stft(
        x, nperseg=4, noverlap=overlap, nfft=padded_to
    )[2],
    "inverse_spectrogram": lambda jax, x, overlap=None: jax.scipy.signal.istft(x, nperseg=4, noverlap=overlap)[1],
    "welch": lambda jax, x, overlap=None, scaling="density", average="mean": jax.scipy.signal.welch(
        x, nperseg=4, noverlap=overlap, scaling=scaling, average=average
    )[1],
    "csd": lambda jax, x, y, overlap=None, scaling="density": jax.scipy.signal.csd(
        x, y, nperseg=4, noverlap=overlap, scaling=scaling
    )[1],
    "detrend": lambda jax, x, axis=-1, kind="linear": jax.scipy.signal.detrend(x, axis, kind),
}
