"""Normalisation by statistics of the array, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

NORMALISATION: Mapping[str, Spelling] = {}
