"""The verbs around the tape: its functional interface, old names, objects that stand in for arrays, and threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["FunctionalInterface", "LegacyNames", "Overrides", "Threads"]

Array = Any
Program = Callable[..., Any]


class LegacyNames(Protocol):
    """Names that were once how it was done."""

    def variable(self, x: Array) -> Array:
        """`x` wrapped as a Variable."""

    def is_plain_array(self, x: Array) -> bool:
        """Whether the type of `x` is the engine's one array type itself."""

    def volatile_of(self, x: Array) -> Any:
        """Read the flag `volatile`."""

    def set_volatile_(self, x: Array, flag: bool) -> None:
        """Set the flag `volatile`."""

    def variable_factory(self, value: Any) -> Array:
        """The lower-case function `variable` that once made tensors."""


class Overrides(Protocol):
    """Objects that stand in for arrays."""

    def array_like(self, handler: Callable[[str], Any]) -> Any:
        """An object that takes over every function of the engine given it, by `handler` of the function's name."""


class Threads(Protocol):
    """Other threads of the process."""

    def in_thread(self, action: Callable[[], Any]) -> Any:
        """What `action` returns, or raises, in a thread of its own."""


class FunctionalInterface(Protocol):
    """The namespace of the tape's functional interface."""

    @property
    def functional(self) -> Namespace:
        """Its functions, by the table `conformance.protocol.operations.FUNCTIONAL`."""
