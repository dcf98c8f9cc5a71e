"""Values that the assertions of a check receive, where the same check on another engine is the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from conformance.compare import Terms, brief, difference, unequal

PLAIN = (bool, int, float, complex, str, type(None))


@dataclass(frozen=True)
class Noted:
    """An assertion, its value in plain types, and whether that was an error."""

    assertion: str
    value: Any = None
    raised: bool = False

    def __str__(self) -> str:
        return f"{self.assertion}: {'an error' if self.raised else brief(self.value)}"


def plain(value: Any, to_numpy: Callable[[Any], Any]) -> Any:
    """The value as it is now, without the engine: NumPy arrays in containers, plain values, else a type's name."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(part, to_numpy) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return tuple(plain(part, to_numpy) for part in value)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return to_numpy(value).copy()
    return type(value).__name__


def disagreement(got: list[Noted], expected: list[Noted]) -> tuple[Noted | None, Noted | None] | None:
    """The first assertion for which two engines have different values, up to rounding; None if there is none."""
    for ours, theirs in zip_longest(got, expected):
        if ours is None or theirs is None or _differ(ours, theirs):
            return ours, theirs
    return None


def _differ(ours: Noted, theirs: Noted) -> bool:
    if (ours.assertion, ours.raised) != (theirs.assertion, theirs.raised):
        return True
    if ours.assertion == "equal":
        # Names of nodes, sizes and the like, exactly; arrays among them are compared by what they hold.
        return unequal(repr(ours.value), repr(theirs.value)) is not None
    return not ours.raised and difference(ours.value, theirs.value, Terms(lambda x: x)) is not None
