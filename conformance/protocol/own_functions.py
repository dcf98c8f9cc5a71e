"""An engine's part of checks of people's own functions: arrays among their arguments, what may be absent, remedies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

__all__ = ["OwnFunctions"]


class OwnFunctions:
    """Defaults, which an engine overrides where it has more.

    `columns` are further engines of the package on which laws are tried (`torch_func`). `remedies` has, by a phrase of
    an error for a rule that is not implemented, the method to implement.
    """

    package: str = ""
    columns: tuple[str, ...] = ()
    remedies: Mapping[str, str] = {}

    def is_array(self, value: Any) -> bool:
        """Whether a value is an array of the engine."""
        raise NotImplementedError

    def is_constant(self, array: Any) -> bool | None:
        """Whether an array is marked as not differentiated; None: the engine's arrays carry no such mark."""
        return None

    def opened(self, function: Callable[..., Any]) -> tuple[Callable[..., Any], Mapping[str, Any]]:
        """The function of a module's parameters, by name, and its arguments; of another function, itself and {}."""
        return function, {}

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

    def missing(self, call: Callable[[], Any]) -> Mapping[str, str]:
        """Of the rules that a call's graph uses, what is not implemented although no error says so.

        By `second` (a second derivative), `forward` (forward mode) and `forward_over_forward`: the reason.
        """
        return {}

    def compiled(self, function: Callable[..., Any], backend: str) -> Callable[..., Any] | None:
        """The function as that backend of the engine's compiler makes it; None: the laws have the compiler already."""
        return None
