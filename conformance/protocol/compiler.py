"""The adapter of an engine that compiles whole programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from conformance.protocol.adapter import Adapter

__all__ = ["CompilingAdapter"]


class CompilingAdapter(Adapter):
    """An adapter of a column that is compiled: the `whole` program of a check, or what its verbs are given.

    A check is first run on `eager`, the adapter of the same engine without a compiler, and its program is derived from
    that. Where none can be derived, the verbs of this adapter compile what they are given.
    """

    whole: ClassVar[bool] = True
    eager: Adapter
    # The adapter that laws on operations are judged on: it compiles each operation once, and differentiates that.
    on_operations: CompilingAdapter | None = None

    def forget(self) -> None:
        """Another check begins: what was compiled before does not count for it."""

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
        """Why nothing was compiled since `forget`; empty where something was."""
        return ""

    @property
    def compiles_a_part(self) -> bool:
        """Whether operations were called since `forget` that are not compiled, beside those that are."""
        return False
