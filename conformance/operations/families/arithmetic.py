"""Arithmetic of two arrays."""

from __future__ import annotations

from conformance.operations.row import family

ARITHMETIC = family(
    "Arithmetic",
)
