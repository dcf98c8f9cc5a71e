"""What a fault is: when it acts, and what a call does instead."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import BoundArguments, Signature
from typing import Any

__all__ = ["PLAIN", "SUBTLE", "VERY_SUBTLE", "Call", "EngineFault", "Given"]

PLAIN, SUBTLE, VERY_SUBTLE = "plain", "subtle", "very subtle"

Given = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Call:
    """A call of a public function, or of a function that it returned (`stage` one; `outer` is then the first call).

    `bound` has all arguments by name, defaults too; `number` counts the calls on the same subject from one: of the same
    first array, or of the same returned function.
    """

    args: tuple[Any, ...]
    options: dict[str, Any]
    bound: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    signature: Signature | None = None
    number: int = 1
    outer: Call | None = None
    found: Any = None

    def has(self, name: str) -> bool:
        """Whether an argument is given another value than its default."""
        value, default = self.bound.get(name), self.defaults.get(name)
        return value is not default and not (type(value) is type(default) and _equal(value, default))

    def rebound(self, name: str, value: Any) -> Given:
        """The arguments with another value for one of them."""
        assert self.signature is not None
        changed = BoundArguments(self.signature, OrderedDict(self.bound) | {name: value})
        return changed.args, changed.kwargs


def _equal(value: Any, default: Any) -> bool:
    return isinstance(value, (bool, int, float, str, tuple)) and value == default


@dataclass(frozen=True)
class EngineFault:
    """One way to be wrong. `when` is asked before the call, or after it where `found` changes the result.

    `given` makes other arguments, `instead` a result without a call, `found` another result. `neutral` is the same
    fault with nothing wrong, where the wrapper that changes nothing is not neutral enough.
    """

    text: str
    grade: str
    family: str
    when: Callable[[Call], bool]
    stage: int = 0
    given: Callable[[Call], Given] | None = None
    instead: Callable[[Call], Any] | None = None
    found: Callable[[Call], Any] | None = None
    neutral: EngineFault | None = field(default=None, compare=False)
