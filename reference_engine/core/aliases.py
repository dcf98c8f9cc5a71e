"""Names for annotations that several modules share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any
"""A NumPy array. `Any` to the type checker, because rules are written once for arrays and for Tensors."""

Shape: TypeAlias = tuple[int, ...]

Axes: TypeAlias = "int | tuple[int, ...] | None"
"""One dimension, several, or all of them (None)."""

Options: TypeAlias = dict[str, Any]
"""The keyword arguments of a primitive, in PyTorch's names. No tensor to be differentiated is among them."""


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple of sizes (torch.Size)."""

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return int(np.prod(self))

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"
