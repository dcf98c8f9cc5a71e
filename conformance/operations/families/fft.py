"""Discrete Fourier transforms."""

from __future__ import annotations

from conformance.operations.row import family

FFT = family(
    "Fourier transforms",
)
