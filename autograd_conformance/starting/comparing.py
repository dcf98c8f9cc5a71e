"""When an engine's numbers are not those that were expected, and how both are said."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_conformance.starting.findings import Odd

__all__ = ["brief", "mismatch", "same"]

CLOSE = 1e-6


def mismatch(got: Any, expected: Any) -> bool:
    """Whether two NumPy arrays differ in shape, or in numbers by more than rounding."""
    return bool(got.shape != expected.shape or not np.allclose(got, expected, rtol=CLOSE, atol=CLOSE))


def same(ad: Any, call: str, got: Any, expected: Any, todo: str) -> None:
    """Raise Odd unless the engine's value has these numbers."""
    numbers, wanted = np.asarray(ad.to_numpy(got)), np.asarray(expected)
    if mismatch(numbers, wanted):
        raise Odd(f"{call} = {brief(numbers)}", brief(wanted), todo)


def brief(value: Any) -> str:
    """A value in one line."""
    return " ".join(np.array2string(np.asarray(value), threshold=8, precision=8).split())
