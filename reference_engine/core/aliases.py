"""Names for annotations that several modules share."""

from __future__ import annotations

from typing import Any, TypeAlias

Array: TypeAlias = Any
"""A NumPy array. `Any` to the type checker, because rules are written once for arrays and for Tensors."""

Shape: TypeAlias = tuple[int, ...]

Axes: TypeAlias = "int | tuple[int, ...] | None"
"""One dimension, several, or all of them (None)."""

Options: TypeAlias = dict[str, Any]
"""The keyword arguments of a primitive, in PyTorch's names. No tensor to be differentiated is among them."""
