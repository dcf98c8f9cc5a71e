"""Containers of arrays as a program's arguments: lists, tuples, dictionaries, and None for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["arrays_in", "rebuilt"]


def arrays_in(value: Any) -> list[Any]:
    """What is no container, in order."""
    if value is None:
        return []
    parts = list(value.values()) if isinstance(value, dict) else value
    return [array for part in parts for array in arrays_in(part)] if isinstance(parts, (list, tuple)) else [value]


def rebuilt(value: Any, arrays: Iterator[Any]) -> Any:
    """The same containers around other arrays."""
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: rebuilt(part, arrays) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([rebuilt(part, arrays) for part in value])
    return next(arrays)
