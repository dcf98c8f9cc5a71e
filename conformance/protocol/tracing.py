"""The verbs of an engine that traces: control flow, mutable references, callbacks and randomness as operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Callbacks", "ControlFlow", "Draws", "Keys", "References"]

Array = Any
Program = Callable[..., Any]
Reference = Any


class ControlFlow(Protocol):
    """Control flow as an operation, where Python's own would be fixed by the trace."""

    def cond(self, predicate: Array, when_true: Program, when_false: Program, *operands: Array) -> Any:
        """What one of two programs returns."""

    def switch(self, index: Array, branches: Sequence[Program], *operands: Array) -> Any:
        """What the program at `index` returns; an index out of range is clamped."""

    def while_loop(self, condition: Program, body: Program, initial: Any) -> Any:
        """`body` applied to its own result as long as `condition` of it holds."""

    def fori_loop(self, lower: int | Array, upper: int | Array, body: Program, initial: Any) -> Any:
        """`body(i, value)` applied to its own result for i from lower to upper, which is not reached."""

    def scan(self, body: Program, initial: Any, xs: Any) -> tuple[Any, Any]:
        """`body(carry, x)` returns carry and y: the last carry, and all y along a new first axis."""


class References(Protocol):
    """Memory that can be written, where arrays cannot."""

    def new_reference(self, x: Array) -> Reference:
        """A mutable reference that holds `x`."""

    def read_reference(self, reference: Reference, index: Any = ...) -> Array:
        """What it holds, or holds at an index."""

    def write_reference_(self, reference: Reference, value: Array, index: Any = ...) -> None:
        """Write it, or at an index of it."""

    def with_references(self, pullback: Program, *references: Reference) -> Program:
        """A pullback that adds its cotangents to references."""


class Callbacks(Protocol):
    """Python called back from a traced program."""

    def pure_callback(self, function: Program, like: Array, *args: Array) -> Array:
        """What `function` returns, which is of the shape and dtype of `like`, and depends on nothing but `args`."""

    def io_callback(self, function: Program, like: Array, *args: Array) -> Array:
        """The same for a function with effects."""

    def debug_callback(self, function: Program, *args: Array) -> None:
        """Call `function` for its effect alone."""


class Keys(Protocol):
    """Random numbers that follow from a key."""

    def key(self, seed: int) -> Any:
        """A key."""

    def normal(self, key: Any, shape: tuple[int, ...] = ()) -> Array:
        """Numbers of the standard normal distribution, always the same for a key."""


class Draws(Protocol):
    """Random numbers from the one generator of the process."""

    def seed_(self, seed: int) -> None:
        """Set the generator's state."""

    def draw(self, shape: tuple[int, ...]) -> Array:
        """The next numbers of the uniform distribution."""
