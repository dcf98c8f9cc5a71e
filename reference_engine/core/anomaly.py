"""Anomaly mode: where the operation was called whose backward went wrong (torch.autograd.detect_anomaly)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import warn
from .tape import Node
from .tensor import Tensor


def check_nan(node: Node, results: Sequence[Any]) -> None:
    """RuntimeError if a cotangent that a node has computed is not a number."""
    for index, result in enumerate(results):
        # A batch has no numbers to look at, but its memory has.
        array = result.memory if isinstance(result, Tensor) else result
        if array is not None and np.isnan(array).any():
            tell_origin(node)
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output: the gradient for its input "
                f"{index} is not a number. The warning above shows where the operation was called."
            )


def tell_origin(node: Node) -> None:
    """Warn, in anomaly mode, where the operation was called whose backward failed."""
    if node.created_at:
        warn.user(f"Error detected in {node.name()}. Traceback of forward call that caused it:\n{node.created_at}")
