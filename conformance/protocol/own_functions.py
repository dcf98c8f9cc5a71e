"""An engine's part of checks of people's own functions: arrays among their arguments, what may be absent, remedies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

__all__ = ["OwnFunctions"]


class OwnFunctions:
    """Defaults, which an engine overrides where it has more.

    `columns` are further engines of the package on which laws are tried (`torch_func`). `remedies` has, by words of an
    error for a rule that is not implemented, the method to implement; `hints`, of an error that is none, the cause.
    `seed` is the statement that sets the engine's random numbers.
    """

    package: str = ""
    seed: str = ""
    columns: tuple[str, ...] = ()
    remedies: Mapping[str, str] = {}
    hints: Mapping[str, str] = {}

    def is_array(self, value: Any) -> bool:
        """Whether a value is an array of the engine."""
        raise NotImplementedError

    def is_constant(self, array: Any) -> bool | None:
        """Whether an array is marked as not differentiated; None: the engine's arrays carry no such mark."""
        return None

    def opened(self, function: Callable[..., Any]) -> tuple[Callable[..., Any], Mapping[str, Any] | None]:
        """The function of a module's parameters, by name, and its arguments; of another function, itself and None."""
        return function, None

    def fixed(self, array: Any, like: Any) -> Any:
        """An array that is not differentiated, in the precision of those that are."""
        return array

    def joined(self, real: Any, imaginary: Any) -> Any:
        """A complex array."""
        return real + 1j * imaginary

    def seeded(self) -> AbstractContextManager[Any]:
        """A block in which the engine's random numbers are the same each time."""
        return nullcontext()

    def kept(self) -> AbstractContextManager[Any]:
        """A block after which the switches that the adapter sets are as they were."""
        return nullcontext()

    def watched(self, note: Callable[..., None]) -> AbstractContextManager[Any]:
        """A block in which each call of a custom derivative is noted: function, title, signature and arguments."""
        return nullcontext()

    def missing(self, call: Callable[[], Any]) -> Mapping[str, str]:
        """Of the rules that a call's graph uses, what is not implemented although no error says so.

        By `second` (a second derivative), `forward` (forward mode) and `forward_over_forward`: the reason.
        """
        return {}

    def rules(self, call: Callable[[], Any]) -> Collection[str]:
        """The transforms for which each custom derivative of a call has its author's rule, by words of laws' names."""
        return ()

    def operations(self, call: Callable[[], Any]) -> Collection[str]:
        """The names of the engine's operations in a call that has no custom derivative: all derivatives are its own."""
        return ()

    def compiled(self, function: Callable[..., Any], backend: str) -> Callable[..., Any] | None:
        """The function as that backend of the engine's compiler makes it; None: the laws have the compiler already."""
        return None
