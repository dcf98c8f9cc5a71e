"""What an adapter says whose engine compiles whole programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.protocol.adapter import Adapter

__all__ = ["CompilingAdapter"]


class CompilingAdapter(Adapter):
    """An adapter in whose column the whole program of a check is compiled, and not what a transform is given alone.

    A check is first run, and its program derived, on `eager`, the adapter of the same engine without a compiler. Where
    no program can be derived, the check runs on this adapter, whose verbs may compile what they are given.
    """

    eager: Adapter

    def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
        """The program, compiled. It has no arguments; what it asserts is kept in a list, and looked at afterwards."""
        raise NotImplementedError

    def apart(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is not compiled when the program calls it, but what it calls is: it catches an error."""
        return function

    def copied(self, value: Any) -> Any:
        """The value, each array in it replaced by a copy without history: what is written later does not show in it."""
        raise NotImplementedError

    def uncompiled(self) -> str:
        """Why nothing of what `compiled` last gave was compiled when it ran; empty where something was."""
        return ""
