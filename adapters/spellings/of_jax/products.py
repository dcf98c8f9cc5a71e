"""Products of vectors, matrices and tensors, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

PRODUCTS: Mapping[str, Spelling] = {}
