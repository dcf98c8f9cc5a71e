"""An adapter that is wrong in one way: some calls of its verbs, or of its operations, do something else.

The verbs whose programs are running are known at each call, so that a verb can be wrong inside of others only. The
adapter itself is not changed: the wrong one calls it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from workshop.mutant import Change


@dataclass(frozen=True)
class WrongCall:
    """A call of a verb: the right adapter and verb, and the arguments.

    `under` are the verbs whose programs run, the outermost first; `inputs` the arguments of the innermost program;
    `called` the verbs that were called so far.
    """

    ad: Any
    verb: str
    right: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    under: tuple[str, ...]
    inputs: tuple[Any, ...]
    called: set[str]

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


@dataclass
class _Programs:
    """The programs that run, from the outermost to the innermost: the verbs that run them, and their arguments."""

    verbs: list[str] = field(default_factory=list)
    # The bottom is for calls outside of any program.
    inputs: list[tuple[Any, ...]] = field(default_factory=lambda: [()])
    called: set[str] = field(default_factory=set)


class _WrongAdapter:
    """A proxy of an adapter, or of its table of operations, whose names have the prefix."""

    def __init__(self, adapter: Any, wrong: WrongVerbs, prefix: str = "", running: _Programs | None = None) -> None:
        self._adapter, self._wrong, self._prefix = adapter, wrong, prefix
        # The proxy of operations shares that of its adapter: verbs are adapters' only.
        self._running = running or _Programs()

    def __getattr__(self, name: str) -> Any:
        if name == "np":
            return _WrongAdapter(self._adapter, self._wrong, "np.", self._running)
        right = getattr(self._adapter.np if self._prefix else self._adapter, name)
        return self._verb(self._prefix + name, right) if callable(right) else right

    def _verb(self, name: str, right: Callable[..., Any]) -> Callable[..., Any]:
        wrong, running = self._wrong, self._running
        chosen = any(fnmatchcase(name, pattern) for pattern in wrong.verbs)
        # Operations are called often: one that is right is not wrapped.
        if self._prefix and not chosen:
            return right

        # Recording adapters read the signature of a verb.
        @functools.wraps(right)
        def verb(*args: Any, **options: Any) -> Any:
            running.called.add(name)
            args = tuple(self._recorded(name, x) for x in args)
            options = {key: self._recorded(name, x) for key, x in options.items()}
            under, inputs = tuple(running.verbs), running.inputs[-1]
            call = WrongCall(self._adapter, name, right, args, options, under, inputs, running.called)
            return wrong.instead(call) if chosen and wrong.where(call) else call.run()

        return verb

    def _recorded(self, verb: str, x: Any) -> Any:
        """The argument of a verb; a program among them records that the verb runs it."""
        if isinstance(x, list):
            return [self._recorded(verb, item) for item in x]
        # Whatever is callable is taken for a program: verbs have no other callable arguments.
        if not callable(x):
            return x
        running = self._running

        @functools.wraps(x)
        def program(*args: Any, **options: Any) -> Any:
            running.verbs.append(verb)
            running.inputs.append(args)
            try:
                return x(*args, **options)
            finally:
                running.verbs.pop()
                running.inputs.pop()

        return program
