"""Calls of verbs by a check, mutators of them, and the adapter that applies a mutator.

Places in the code of a check are numbered, in the order in which they are reached: a program that is run again, as by
a checkpoint, has to do the same again. The check itself is number 0, as a call of the verb `check`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from types import CodeType, FrameType
from typing import Any

from conformance.protocol import vocabulary

# A verb, and where in which code it is called.
Place = tuple[str, CodeType | None, int]
# The adapter as checks and mutators see it: engines' types are not known here.
Ad = Any
CHECK = "check"


@dataclass(frozen=True)
class VerbCall:
    """A call of a verb: `function` calls the engine; `result` is its result, if it has been called."""

    verb: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any = None

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Call the verb with these arguments (default: those of the call)."""
        return self.function(*(args or self.args), **(self.kwargs | kwargs))

    def run_with(self, position: int, value: Any) -> Any:
        """Call the verb with another value as the argument at that position."""
        return self.function(*self.args[:position], value, *self.args[position + 1 :], **self.kwargs)


@dataclass(frozen=True)
class Mutator:
    """A replacement of a call that changes no outcome, by the engines' documentation: `apply`.

    `fits`: whether it can replace a call (with its result). `unless` has the verbs, and other names, that make it not
    neutral in a check that uses them. `needs` has the verbs that an engine must have: those that are added, and others
    that a kind of engine has.
    """

    name: str
    verbs: frozenset[str]
    apply: Callable[[Ad, VerbCall], Any]
    fits: Callable[[VerbCall], bool] = lambda call: True
    unless: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, order=True)
class Mutation:
    """A mutator at a call of a check, by the number of its place."""

    mutator: str
    at: int

    def __str__(self) -> str:
        return f"{self.mutator}@{self.at}"


class MutatedAd:
    """The `ad` of a mutated check: the calls at a place are replaced.

    `watch` receives the first call at each other place.
    """

    def __init__(
        self,
        ad: Ad,
        at: int = -1,
        mutator: Mutator | None = None,
        watch: Callable[[int, VerbCall], None] = lambda number, call: None,
    ) -> None:
        self._ad, self._at, self._mutator, self._watch = ad, at, mutator, watch
        self._file = ""
        self._places: dict[Place, int] = {}

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._ad, name)  # raises an error for what is neither a verb nor a namespace
        counted = self._counted(name, verb) if name in vocabulary() else _Prefixed(self, name, verb)
        self.__dict__[name] = counted
        return counted

    def call_check(self, check: Callable[..., Any], *arguments: Any) -> Any:
        """Call the check, as call number 0."""
        self._file = check.__code__.co_filename
        return self._counted(CHECK, lambda: check(self, *arguments))()

    def _counted(self, verb: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            # Before the place is looked up: if it is new, this is its number.
            count = len(self._places)
            number = self._places.setdefault(self._place(verb, sys._getframe(1)), count)
            verb_call = VerbCall(verb, function, args, kwargs)
            # An id that somebody typed may name a place of another verb: then nothing is changed.
            if self._mutator and number == self._at and verb in self._mutator.verbs:
                return self._mutator.apply(self._ad, verb_call)
            try:
                verb_call = replace(verb_call, result=function(*args, **kwargs))
            finally:  # a call that raises an error can be changed, too
                if number == count:
                    self._watch(number, verb_call)
            return verb_call.result

        return call

    def _place(self, verb: str, caller: FrameType) -> Place:
        """The place of a call. A verb that is passed to another verb, and called by an engine, has one place."""
        code = caller.f_code
        return (verb, code, caller.f_lasti) if code.co_filename == self._file else (verb, None, 0)


class _Prefixed:
    """Verbs under a common prefix, such as `ad.np`."""

    def __init__(self, ad: MutatedAd, prefix: str, space: Any) -> None:
        self._mutated, self._prefix, self._space = ad, prefix, space

    def __getattr__(self, name: str) -> Any:
        verb = f"{self._prefix}.{name}"
        counted = self.__dict__[name] = self._mutated._counted(verb, getattr(self._space, name))
        return counted


@cache
def verbs_under(prefix: str) -> frozenset[str]:
    """The verbs of a namespace."""
    return frozenset(verb for verb in vocabulary() if verb.startswith(f"{prefix}."))


def named(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


def in_scope(scope: Callable[[Ad], Any]) -> Callable[[Ad, VerbCall], Any]:
    """Run the call in a scope, a context manager of the adapter."""

    def apply(ad: Ad, call: VerbCall) -> Any:
        with scope(ad):
            return call.run()

    return apply


def by_name(mutators: Iterable[Mutator]) -> dict[str, Mutator]:
    """The mutators by name. ValueError for a name used twice: an id must be unambiguous."""
    named_mutators: dict[str, Mutator] = {}
    for mutator in mutators:
        if mutator.name in named_mutators:
            raise ValueError(f"two mutators are called {mutator.name!r}: rename one")
        named_mutators[mutator.name] = mutator
    return named_mutators
