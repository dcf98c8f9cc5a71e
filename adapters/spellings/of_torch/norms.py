"""Norms and distances, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

NORMS: Mapping[str, Spelling] = {
    **same("torch", "dist cdist"),
    **same("torch.linalg", "matrix_norm"),
    **same("torch.nn.functional", "pdist"),
    "norm": "torch.linalg.vector_norm",
}
