"""An adapter that is wrong in one way: some calls of its verbs do something else.

The verbs whose programs are under way are known at each call, so that a verb can be wrong inside of others only. The
adapter itself is not changed: the wrong one calls it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from conformance.programs.engine import LoadedEngine
from conformance.recording_adapter import RecordingAdapter

__all__ = ["WrongCall", "WrongVerbs", "broken"]


@dataclass(frozen=True)
class WrongCall:
    """A call of a verb: the right adapter, the verbs under way (the outermost first), and what it was given."""

    ad: Any
    verb: str
    under: tuple[str, ...]
    right: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]

    def done(self) -> Any:
        """What the right verb returns."""
        return self.right(*self.args, **self.options)

    def given(self, *args: Any) -> Any:
        """What the right verb returns for other arguments."""
        return self.right(*args, **self.options)


@dataclass(frozen=True)
class WrongVerbs:
    """What is wrong: calls of these verbs (`np.*`: all operations) that `where` chooses do `instead`."""

    verbs: tuple[str, ...]
    where: Callable[[WrongCall], bool]
    instead: Callable[[WrongCall], Any]


def broken(engine: LoadedEngine, wrong: WrongVerbs) -> LoadedEngine:
    """The engine with an adapter that is wrong in this way."""
    adapter = _Before(engine.adapter, wrong)
    return replace(engine, adapter=adapter, ad=RecordingAdapter(adapter, engine.declaration.absent))  # type: ignore[arg-type]


class _Before:
    """Stands before an adapter, or before its table of operations, whose names have the prefix."""

    def __init__(self, owner: Any, wrong: WrongVerbs, prefix: str = "", root: _Before | None = None) -> None:
        self._owner, self._wrong, self._prefix, self._root = owner, wrong, prefix, root or self
        self._under: list[str] = []

    def __getattr__(self, name: str) -> Any:
        right = getattr(self._owner, name)
        if name == "np":
            return _Before(right, self._wrong, "np.", self)
        return self._verb(self._prefix + name, right) if callable(right) else right

    def _verb(self, name: str, right: Callable[..., Any]) -> Callable[..., Any]:
        root, wrong = self._root, self._wrong
        chosen = any(fnmatchcase(name, pattern) for pattern in wrong.verbs)
        if self._prefix and not chosen:
            return right

        @functools.wraps(right)
        def verb(*args: Any, **options: Any) -> Any:
            noted = tuple(root._noted(name, x) for x in args)
            named = {key: root._noted(name, x) for key, x in options.items()}
            call = WrongCall(root._owner, name, tuple(root._under), right, noted, named)
            return wrong.instead(call) if chosen and wrong.where(call) else call.done()

        return verb

    def _noted(self, verb: str, x: Any) -> Any:
        """A program that is given to a verb notes that the verb runs it."""
        if isinstance(x, list):
            return [self._noted(verb, one) for one in x]
        if not callable(x):
            return x

        @functools.wraps(x)
        def program(*args: Any, **options: Any) -> Any:
            self._under.append(verb)
            try:
                return x(*args, **options)
            finally:
                self._under.pop()

        return program
