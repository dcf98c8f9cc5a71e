"""When a value, an error or a warning is the expected one: arrays are equal up to the rounding of their dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from conformance.messages import printable

__all__ = ["brief", "difference", "mismatch", "unequal"]

# The adapter's conversion of an engine's array.
ToNumpy = Callable[[Any], Any]
# Units in the last place. A check is a handful of operations on small numbers, so a few hundred are ample.
ROUNDING = 512


def difference(got: Any, expected: Any, to_numpy: ToNumpy, within: float | None) -> str:
    """How `got` differs from `expected`, as the beginning of a sentence; empty where it does not."""
    # A missing gradient is None: as an array it would be NaN, or of dtype object.
    if expected is None or got is None:
        return "" if got is expected else f"got {brief(got)}, expected {brief(expected)}"
    if isinstance(expected, tuple):
        return _items(got, list(enumerate(expected)), (tuple, list), to_numpy, within)
    if isinstance(expected, Mapping):
        return _items(got, list(expected.items()), (Mapping,), to_numpy, within)
    return _arrays(got, np.asarray(expected), to_numpy, within)


def _items(
    got: Any, expected: list[tuple[Any, Any]], kinds: tuple[type[Any], ...], to_numpy: ToNumpy, within: float | None
) -> str:
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


def _arrays(got: Any, expected: np.ndarray, to_numpy: ToNumpy, within: float | None) -> str:
    if isinstance(got, (tuple, Mapping)):
        return f"got {brief(got)}, a container, expected {brief(expected)}"
    numbers = np.asarray(got if isinstance(got, (int, float, complex, np.ndarray)) else to_numpy(got))
    if numbers.dtype.kind in "OSUMm":  # objects, text, dates
        return f"got {brief(got)}, which are not numbers, expected {brief(expected)}"
    # Before the numbers: allclose would broadcast, and call a scalar equal to an array of it.
    if numbers.shape != expected.shape:
        return f"got {brief(numbers)} of shape {numbers.shape}, expected {brief(expected)} of shape {expected.shape}"
    relative = ROUNDING * np.finfo(numbers.dtype).eps if numbers.dtype.kind in "fc" else 0.0
    absolute = relative if within is None else within
    # A stated tolerance is absolute: a relative part would widen it unseen.
    relative = relative if within is None else 0.0
    if np.allclose(numbers, expected, rtol=relative, atol=absolute, equal_nan=True):
        return ""
    return f"got {brief(numbers)}, expected {brief(expected)}"


def unequal(got: Any, expected: Any) -> str:
    """How `got` is not exactly `expected`; empty where it is."""
    # An engine's own `==` may return anything, so None and flags go by identity, all else by type first.
    plain = expected is None or isinstance(expected, bool)
    if got is expected if plain else isinstance(got, type(expected)) and bool(got == expected):
        return ""
    return f"got {brief(got)}, expected {brief(expected)}"


def mismatch(error: BaseException, kind: type[BaseException] | str | None, phrase: str) -> str:
    """How an error or warning differs from the promised `kind` and `phrase`; empty where it does not."""
    if kind is not None and not _is_a(error, kind):
        return f"expected {kind if isinstance(kind, str) else kind.__name__}"
    if phrase.lower() not in str(error).lower():
        return f"expected a message that says {phrase!r}"
    return ""


def _is_a(error: BaseException, kind: type[BaseException] | str) -> bool:
    # By dotted name where the class is the engine's, which chapters do not import.
    if isinstance(kind, type):
        return isinstance(error, kind)
    return any(kind in (f"{base.__module__}.{base.__qualname__}", base.__qualname__) for base in type(error).__mro__)


def brief(value: Any) -> str:
    """Any value in one short line."""
    try:
        text = str(value.tolist()) if isinstance(value, np.ndarray) else repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    # Cut first: the repr of a large array is megabytes, and it is split word by word.
    text = printable(" ".join(text[:2000].split()))
    return text if len(text) <= 200 else f"{text[:197]}..."
