"""Taking elements by index, and writing them, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

INDEXING: Mapping[str, Spelling] = {
    **same("torch", "take"),
    **same("torch.nn.functional", "embedding"),
}
