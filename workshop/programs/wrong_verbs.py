"""An adapter that is wrong in one way: some calls of its verbs do something else.

The verbs whose programs are running are known at each call, so that a verb can be wrong inside of others only. The
adapter itself is not changed: the wrong one calls it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from workshop.mutant import Change


@dataclass(frozen=True)
class WrongCall:
    """A call of a verb: the right adapter and verb, the verbs whose programs run (outermost first), the arguments."""

    ad: Any
    verb: str
    under: tuple[str, ...]
    right: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]

    def run(self) -> Any:
        """The result of the right verb."""
        return self.right(*self.args, **self.options)

    def run_with(self, *args: Any) -> Any:
        """The result of the right verb for other arguments."""
        return self.right(*args, **self.options)


@dataclass(frozen=True)
class WrongVerbs:
    """A fault: calls of these verbs (`np.*`: all operations) that `where` chooses do `instead`."""

    verbs: tuple[str, ...]
    where: Callable[[WrongCall], bool]
    instead: Callable[[WrongCall], Any]


def replacing_verbs(wrong: WrongVerbs) -> Change:
    """The change to an adapter whose verbs have this fault."""

    def change(adapter: Any) -> AbstractContextManager[Any]:
        return nullcontext(_WrongAdapter(adapter, wrong))

    return change


class _WrongAdapter:
    """A proxy of an adapter, or of its table of operations, whose names have the prefix."""

    def __init__(self, owner: Any, wrong: WrongVerbs, prefix: str = "", root: _WrongAdapter | None = None) -> None:
        self._owner, self._wrong, self._prefix, self._root = owner, wrong, prefix, root or self
        self._under: list[str] = []

    def __getattr__(self, name: str) -> Any:
        right = getattr(self._owner, name)
        if name == "np":
            return _WrongAdapter(right, self._wrong, "np.", self)
        return self._verb(self._prefix + name, right) if callable(right) else right

    def _verb(self, name: str, right: Callable[..., Any]) -> Callable[..., Any]:
        # `ad.np` is another proxy: the verbs that run are known to the adapter's.
        root, wrong = self._root, self._wrong
        chosen = any(fnmatchcase(name, pattern) for pattern in wrong.verbs)
        # Operations are called often: one that is right is not wrapped.
        if self._prefix and not chosen:
            return right

        @functools.wraps(right)
        def verb(*args: Any, **options: Any) -> Any:
            args = tuple(root._traced(name, x) for x in args)
            options = {key: root._traced(name, x) for key, x in options.items()}
            call = WrongCall(root._owner, name, tuple(root._under), right, args, options)
            return wrong.instead(call) if chosen and wrong.where(call) else call.run()

        return verb

    def _traced(self, verb: str, x: Any) -> Any:
        """The argument of a verb; a program among them records that the verb runs it."""
        if isinstance(x, list):
            return [self._traced(verb, item) for item in x]
        # Whatever is callable is taken for a program: verbs have no other callable arguments.
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
