"""Spellings of the protocol's operations in an engine: one table per engine, and the namespace made of it.

A spelling is a dotted public name (`"torch.exp"`), or, where arguments or results differ, a function of the engine's
top module and the operation's arguments (`lambda torch, x, k: torch.kthvalue(x, k).values`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from operator import attrgetter
from types import ModuleType
from typing import Any, TypeAlias

__all__ = ["Namespace", "NotOffered", "Spelling", "same"]

Spelling: TypeAlias = str | Callable[..., Any]


def same(prefix: str, names: str) -> dict[str, Spelling]:
    """Spellings of operations that the engine has under their own names: `same("torch", "exp log")`."""
    return {name: f"{prefix}.{name}" for name in names.split()}


class NotOffered(AttributeError):
    """The engine has no operation of that name, or not the public function that it is spelt with."""


class Namespace:
    """The operations of a table that an engine has, as attributes: `ad.np.exp`.

    `engine` is the engine's top module; the first part of a dotted name means it, under any name. An operation without
    a spelling, or whose public name this version of the engine lacks, is left out; a function that meets a name that
    the engine lacks raises NotOffered when it is called.
    """

    def __init__(self, engine: ModuleType, spellings: Mapping[str, Spelling]) -> None:
        self._engine, self._spellings = engine, spellings

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        function = self._resolved(operation)
        if function is None:
            raise NotOffered(f"{self._engine.__name__} has no operation {operation!r}")
        return function

    def __dir__(self) -> Iterable[str]:
        return [operation for operation in self._spellings if self._resolved(operation) is not None]

    def _resolved(self, operation: str) -> Callable[..., Any] | None:
        """The engine's function. Looked up anew each time, so that a patched engine is seen as it is."""
        spelling = self._spellings.get(operation)
        if spelling is None:
            return None
        if not isinstance(spelling, str):
            called = partial(self._called, spelling)
            # Absences of arguments are read from signatures, so the partial must have that of the operation.
            called.__signature__ = _without_engine(spelling)  # type: ignore[attr-defined]
            return called
        try:
            # The first part of the name is the engine, whichever module was passed for it.
            function: Callable[..., Any] = attrgetter(spelling.partition(".")[2])(self._engine)
        except AttributeError:
            return None
        return function

    def _called(self, spelling: Callable[..., Any], *args: Any, **options: Any) -> Any:
        try:
            return spelling(self._engine, *args, **options)
        except AttributeError as error:
            # Of a module of the engine: the attribute of an array that is not there would be a mistake in the table.
            if isinstance(error.obj, ModuleType) and error.obj.__name__.split(".")[0] == self._engine.__name__:
                raise NotOffered(f"{error.obj.__name__} has no {error.name}") from None
            raise


@cache
def _without_engine(spelling: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function without its first parameter, the engine."""
    signature = inspect.signature(spelling)
    return signature.replace(parameters=list(signature.parameters.values())[1:])
