"""Faults of public functions: when a fault acts, and what a call does instead."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import BoundArguments, Signature
from typing import Any

# Classes of faults, by weight.
PLAIN, SUBTLE, VERY_SUBTLE = "plain", "subtle", "very subtle"

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Call:
    """A call of a public function, or of a function that it returned (`stage` 1; `outer` is then the first call).

    `bound` has all arguments by name, defaults too; `number` counts the calls on the same subject from 1: of the same
    first array, or of the same returned function.
    """

    args: tuple[Any, ...]
    options: dict[str, Any]
    bound: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    signature: Signature | None = None
    number: int = 1
    outer: Call | None = None
    result: Any = None

    def has(self, name: str) -> bool:
        """Whether an argument has another value than its default."""
        # By identity first: values may be arrays, whose equality is no truth value.
        value, default = self.bound.get(name), self.defaults.get(name)
        return value is not default and not (type(value) is type(default) and _equal(value, default))

    def rebound(self, name: str, value: Any) -> Arguments:
        """The arguments with another value for one of them."""
        assert self.signature is not None
        changed = BoundArguments(self.signature, OrderedDict(self.bound) | {name: value})
        return changed.args, changed.kwargs


def _equal(value: Any, default: Any) -> bool:
    # Only plain values compare without running the library.
    return isinstance(value, (bool, int, float, str, tuple)) and value == default


@dataclass(frozen=True)
class EngineFault:
    """One way to be wrong. `when` is called before the call, or after it where there is `change_result`.

    `weight` is the sum of its conditions' (`conditions.py`): the number of coincidences that it takes to see the fault.
    `change_arguments` returns other arguments, `instead` a result without a call, `change_result` another result.
    `neutral` is the same fault with nothing wrong, where the wrapper that changes nothing is not neutral enough.
    """

    text: str
    weight: int
    family: str
    when: Callable[[Call], bool]
    # 0: the call of the target; 1: a call of the function that it returned.
    stage: int = 0
    change_arguments: Callable[[Call], Arguments] | None = None
    instead: Callable[[Call], Any] | None = None
    change_result: Callable[[Call], Any] | None = None
    neutral: EngineFault | None = field(default=None, compare=False)

    @property
    def grade(self) -> str:
        """The class of the fault."""
        return (PLAIN, SUBTLE, VERY_SUBTLE)[min(self.weight, 2)]
