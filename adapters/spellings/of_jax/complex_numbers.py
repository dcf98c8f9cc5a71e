"""Complex numbers and their parts, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

COMPLEX_NUMBERS: Mapping[str, Spelling] = {}
