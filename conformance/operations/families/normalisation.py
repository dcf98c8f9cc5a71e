"""Normalisation by statistics of the array."""

from __future__ import annotations

from conformance.operations.row import family

NORMALISATION = family(
    "Normalisation",
)
