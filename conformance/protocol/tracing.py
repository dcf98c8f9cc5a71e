"""The verbs of an engine that traces: control flow, mutable references, callbacks and randomness as operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from conformance.protocol.types import Array, Index, Key, Program, Reference, Shape

__all__ = ["Callbacks", "ControlFlow", "Draws", "Keys", "References"]


class ControlFlow(Protocol):
    """Control flow as an operation, where Python's own would be fixed by the trace."""

    def cond(self, predicate: Array, when_true: Program, when_false: Program, *operands: Array) -> Any:
        """The result of either of two programs."""

    def switch(self, index: Array, branches: Sequence[Program], *operands: Array) -> Any:
        """The result of the program at `index`; an index out of range is clamped."""

    def while_loop(self, condition: Program, body: Program, initial: Any) -> Any:
        """`body` applied to its own result as long as `condition` of it holds."""

    def fori_loop(self, lower: int | Array, upper: int | Array, body: Program, initial: Any) -> Any:
        """`body(i, value)` applied to its own result for i from lower to upper, which is not reached."""

    def scan(self, body: Program, initial: Any, xs: Any) -> tuple[Any, Any]:
        """`body(carry, x)` returns carry and y: the last carry, and all y along a new first axis."""


class References(Protocol):
    """Mutable references, where arrays are immutable."""

    def new_reference(self, x: Array) -> Reference:
        """A mutable reference that holds `x`."""

    def read_reference(self, reference: Reference, index: Index = ...) -> Array:
        """The value of a reference, or of an index of it."""

    def write_reference_(self, reference: Reference, value: Array, index: Index = ...) -> None:
        """Write a reference, or an index of it."""

    def with_references(self, pullback: Program, *references: Reference | str) -> Program:
        """A pullback that adds its cotangents to references, a reference for each argument.

        For an argument with "value" in its place the pullback returns the cotangent; with "unwanted" it computes none.
        """


class Callbacks(Protocol):
    """Callbacks from a traced program to Python."""

    def pure_callback(self, function: Program, like: Array, *args: Array) -> Array:
        """The result of a pure `function`, which has the shape and dtype of `like`."""

    def io_callback(self, function: Program, like: Array, *args: Array) -> Array:
        """The same for a function with side effects."""

    def foreign_call(self, target: str, like: Array, *args: Array) -> Array:
        """The result of a function of another language, registered as `target`, with the shape and dtype of `like`."""

    def debug_callback(self, function: Program, *args: Array) -> None:
        """Call `function` for its side effect."""


class Keys(Protocol):
    """Random numbers from a key."""

    def key(self, seed: int) -> Any:
        """A key."""

    def normal(self, key: Key, shape: Shape = ()) -> Array:
        """Standard normal numbers, the same for the same key."""


class Draws(Protocol):
    """Random numbers from the global generator."""

    def seed_(self, seed: int) -> None:
        """Seed the generator."""

    def draw(self, shape: Shape) -> Array:
        """Uniform random numbers in [0, 1)."""
