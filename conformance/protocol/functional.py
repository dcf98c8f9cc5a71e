"""The verbs around the tape: its functional interface, old names, overrides, and threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from conformance.protocol.spellings import Namespace
from conformance.protocol.types import Array, Numbers

__all__ = ["FunctionalInterface", "LegacyNames", "Overrides", "Threads"]


class LegacyNames(Protocol):
    """Deprecated names."""

    def variable(self, x: Array, requires_grad: bool = False) -> Array:
        """`x` wrapped as a Variable."""

    def is_plain_array(self, x: Array) -> bool:
        """Whether the type of `x` is exactly the engine's array type."""

    def volatile_of(self, x: Array) -> Any:
        """Read the flag `volatile`."""

    def set_volatile_(self, x: Array, flag: bool) -> None:
        """Set the flag `volatile`."""

    def variable_factory(self, value: Numbers) -> Array:
        """The old function `variable`, in lower case, which made tensors."""


class Overrides(Protocol):
    """Objects that override the engine's functions."""

    def array_like(self, handler: Callable[[str], Any]) -> Any:
        """An object that overrides each function of the engine that is given it: `handler(name)` is the result."""


class Threads(Protocol):
    """Other threads of the process."""

    def in_thread(self, action: Callable[[], Any]) -> Any:
        """Run `action` in a new thread; return or raise what it does."""


class FunctionalInterface(Protocol):
    """The namespace of the tape's functional interface."""

    @property
    def functional(self) -> Namespace:
        """Its functions, by the table `conformance.protocol.operations.FUNCTIONAL`."""
