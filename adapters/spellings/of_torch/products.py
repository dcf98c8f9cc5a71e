"""Products of vectors, matrices and tensors, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

PRODUCTS: Mapping[str, Spelling] = {
    **same("torch", "matmul outer"),
}
