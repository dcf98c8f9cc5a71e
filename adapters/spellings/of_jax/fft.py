"""Discrete Fourier transforms, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

FFT: Mapping[str, Spelling] = {}
