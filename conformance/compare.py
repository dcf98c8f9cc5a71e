"""When two values are the same: arrays up to the rounding of their dtype, containers item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from conformance.messages import printable

__all__ = ["brief", "difference", "unequal"]

ToNumpy = Callable[[Any], Any]
# A check is a handful of operations on small numbers: a few hundred units in the last place are ample.
ROUNDING = 512


def difference(got: Any, expected: Any, to_numpy: ToNumpy, within: float | None) -> str:
    """How `got` differs from `expected`, as the beginning of a sentence; empty where it does not."""
    if expected is None or got is None:
        return "" if got is expected else f"got {brief(got)}, expected {brief(expected)}"
    if isinstance(expected, tuple):
        return _items(got, list(enumerate(expected)), (tuple, list), to_numpy, within)
    if isinstance(expected, Mapping):
        return _items(got, list(expected.items()), (Mapping,), to_numpy, within)
    return _arrays(got, np.asarray(expected), to_numpy, within)


def _items(got: Any, expected: list[tuple[Any, Any]], kinds: Any, to_numpy: ToNumpy, within: float | None) -> str:
    if not isinstance(got, kinds):
        return f"got {brief(got)}, expected a container of {len(expected)}"
    if len(got) != len(expected):
        return f"got {len(got)} items, expected {len(expected)}"
    for key, wanted in expected:
        if isinstance(got, Mapping) and key not in got:
            return f"got keys {sorted(map(str, got))}, expected {key!r} among them"
        if problem := difference(got[key], wanted, to_numpy, within):
            return f"{problem} at item {key!r}"
    return ""


def _arrays(got: Any, expected: Any, to_numpy: ToNumpy, within: float | None) -> str:
    if isinstance(got, (tuple, Mapping)):
        return f"got {brief(got)}, a container, expected {brief(expected)}"
    numbers = np.asarray(got if isinstance(got, (int, float, complex, np.ndarray)) else to_numpy(got))
    if numbers.dtype.kind in "OSUMm":  # objects, text, dates
        return f"got {brief(got)}, which are no numbers, expected {brief(expected)}"
    if numbers.shape != expected.shape:
        return f"got {brief(numbers)} of shape {numbers.shape}, expected {brief(expected)} of shape {expected.shape}"
    relative = ROUNDING * np.finfo(numbers.dtype).eps if numbers.dtype.kind in "fc" else 0.0
    absolute = relative if within is None else within
    # A relative part beside a stated tolerance would widen it unseen.
    relative = relative if within is None else 0.0
    if np.allclose(numbers, expected, rtol=relative, atol=absolute, equal_nan=True):
        return ""
    return f"got {brief(numbers)}, expected {brief(expected)}"


def unequal(got: Any, expected: Any) -> str:
    """How `got` is not exactly `expected`; empty where it is. Not only by the `==` of what was got."""
    plain = expected is None or isinstance(expected, bool)
    if got is expected if plain else isinstance(got, type(expected)) and bool(got == expected):
        return ""
    return f"got {brief(got)}, expected {brief(expected)}"


def brief(value: Any) -> str:
    """A value in one short line, whatever it is."""
    try:
        text = str(value.tolist()) if isinstance(value, np.ndarray) else repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    text = printable(" ".join(text[:2000].split()))
    return text if len(text) <= 200 else f"{text[:197]}..."
