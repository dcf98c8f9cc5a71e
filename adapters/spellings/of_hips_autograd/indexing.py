"""Taking elements by index, and writing them, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

INDEXING: Mapping[str, Spelling] = {}
