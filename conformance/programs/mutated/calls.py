"""A call of a verb by a check, what may be done in its place, and the adapter that does so.

What is numbered are places in the code of a check, in the order in which they are reached: a program that is run again,
as by a checkpoint, is to do the same again. The check itself is number 0, as a call of the verb `check`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import CodeType, FrameType
from typing import Any

from conformance.protocol import vocabulary

__all__ = ["CHECK", "Ad", "MutatedAd", "Mutation", "Mutator", "VerbCall", "by_name", "named", "verbs_under"]

# A verb, and where in which code it is called.
Place = tuple[str, CodeType | None, int]
# The adapter as checks and mutators see it: engines' types are not known here.
Ad = Any
CHECK = "check"


@dataclass(frozen=True)
class VerbCall:
    """A call of a verb. `made` calls the engine; `result` is what came of it, where that is known."""

    verb: str
    made: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any = None

    def carried_out(self, *args: Any, **kwargs: Any) -> Any:
        """What the verb returns for these arguments, or for its own."""
        return self.made(*(args or self.args), **(self.kwargs | kwargs))

    def instead(self, position: int, value: Any) -> Any:
        """What the verb returns with another value as the argument at that position."""
        return self.made(*self.args[:position], value, *self.args[position + 1 :], **self.kwargs)


@dataclass(frozen=True)
class Mutator:
    """Something else to do in the place of a call.

    `fits` says whether it can take the place of a call (with its result). A neutral one changes no outcome, by the
    engines' documentation; `unless` has the verbs, and other names, that make it none in a check that uses them.
    `needs` has the verbs that an engine must have: those that are added, and others that tell a kind of engine.
    """

    name: str
    verbs: frozenset[str]
    does: Callable[[Ad, VerbCall], Any]
    fits: Callable[[VerbCall], bool] = lambda call: True
    unless: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    neutral: bool = True


@dataclass(frozen=True, order=True)
class Mutation:
    """A mutator at a call of a check, by the number of its place."""

    mutator: str
    at: int

    def __str__(self) -> str:
        return f"{self.mutator}@{self.at}"


class MutatedAd:
    """What a mutated check receives as `ad`: the calls that are named are carried out otherwise.

    `changes` has the mutator of each place, by its number. `watch` is told the first call at each other place.
    """

    def __init__(
        self, ad: Ad, changes: Mapping[int, Mutator], watch: Callable[[int, VerbCall], None] = lambda number, call: None
    ) -> None:
        self._ad, self._changes, self._watch = ad, changes, watch
        self._file = ""
        self._places: dict[Place, int] = {}

    def __getattr__(self, name: str) -> Any:
        known = getattr(self._ad, name)  # raises an error for what is neither a verb nor a namespace
        found = self._counted(name, known) if name in vocabulary() else _Prefixed(self, name, known)
        self.__dict__[name] = found
        return found

    def checked(self, check: Callable[..., Any], *arguments: Any) -> Any:
        """What the check returns, as call number 0."""
        self._file = check.__code__.co_filename
        return self._counted(CHECK, lambda: check(self, *arguments))()

    def _counted(self, verb: str, made: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            count = len(self._places)
            number = self._places.setdefault(self._place(verb, sys._getframe(1)), count)
            its = VerbCall(verb, made, args, kwargs)
            mutator = self._changes.get(number)
            # A first change may lead elsewhere: the second then meets another verb, and is left out.
            if mutator is not None and verb in mutator.verbs:
                return mutator.does(self._ad, its)
            try:
                its = replace(its, result=made(*args, **kwargs))
            finally:  # a call that raises an error can be changed, too
                if number == count:
                    self._watch(number, its)
            return its.result

        return call

    def _place(self, verb: str, caller: FrameType) -> Place:
        """Where a verb is called. One that is passed to another verb, and called by an engine, has one place."""
        code = caller.f_code
        return (verb, code, caller.f_lasti) if code.co_filename == self._file else (verb, None, 0)


class _Prefixed:
    """Verbs under a common prefix, such as `ad.np`."""

    def __init__(self, ad: MutatedAd, prefix: str, space: Any) -> None:
        self._mutated, self._prefix, self._space = ad, prefix, space

    def __getattr__(self, name: str) -> Any:
        verb = f"{self._prefix}.{name}"
        found = self.__dict__[name] = self._mutated._counted(verb, getattr(self._space, name))
        return found


@cache
def verbs_under(prefix: str) -> frozenset[str]:
    """The verbs of a namespace."""
    return frozenset(verb for verb in vocabulary() if verb.startswith(f"{prefix}."))


def named(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


def by_name(mutators: Iterable[Mutator]) -> dict[str, Mutator]:
    """The mutators by name. ValueError for a name that two have: an id must mean one thing."""
    found: dict[str, Mutator] = {}
    for one in mutators:
        if one.name in found:
            raise ValueError(f"two mutators are called {one.name!r}: rename one")
        found[one.name] = one
    return found
