"""Interpolation and resampling, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

INTERPOLATION: Mapping[str, Spelling] = {}
