"""Interpolation and resampling."""

from __future__ import annotations

from conformance.operations.row import family

INTERPOLATION = family(
    "Interpolation",
)
