"""A mutant: an engine with a single thing changed, for as long as a context manager is open.

A mutant changes a rule, a flag, a default, a verb or a public function of an engine. Which check runs it never knows.
Populations are tables of mutants: those written by hand and those generated from the reference engine's source
(`mutants`), from signatures of public functions (`engine_mutants`), from rules (`laws`), for generated programs
(`programs`), and from fixed bugs (`bugs`).
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

# The engines that have mutants, and the library that each is made of.
ENGINES = {"reference": "reference_engine", "torch": "torch", "torch_func": "torch", "jax": "jax"}

# Takes the engine's adapter; the context gives the adapter to ask in its place, most often the same.
Change = Callable[[Any], AbstractContextManager[Any]]
Declared = TypeVar("Declared", bound=Callable[..., Any])


class MutantError(Exception):
    """A mutant cannot be made: what it changes is gone, or it is declared wrongly. The message names it."""


@dataclass(frozen=True)
class Mutant:
    """An engine that is wrong in one way.

    `name` is its key in records, `what` a sentence that accuses it, `family` the kind of fault. `change` opens the
    context in which the engine is wrong; an `equal` mutant is as right as the engine, and nothing may kill it.
    `reached_by` names the places in the source of which any must run for the change to matter, and is empty where that
    is not known; `shown_by` names others that must run in some behaviour for the change to count.
    """

    name: str
    engine: str
    what: str
    change: Change = field(compare=False, repr=False)
    family: str = ""
    equal: bool = False
    reached_by: frozenset[str] = frozenset()
    shown_by: frozenset[str] = frozenset()


# Filled by the decorator while `population` imports the modules of by_hand.
_declared: dict[str, Mutant] = {}


def mutant(engine: str, *targets: str) -> Callable[[Declared], Declared]:
    """Register a function as a mutant of `engine`.

    With targets, dotted names such as `torch.Tensor.detach`, the function returns what the wrong engine has in place of
    each. Without, it is a generator, and what comes before its `yield` makes the engine wrong. The docstring states
    the fault, and then, in a paragraph "Models: ...", which real mistake that is. Raises MutantError for an unknown
    engine, a docstring without these parts, and a name that is taken.
    """

    def register(function: Declared) -> Declared:
        what, _, models = " ".join((inspect.getdoc(function) or "").split()).partition(" Models: ")
        name = f"{engine}:{function.__name__}"
        if engine not in ENGINES:
            raise MutantError(f"mutant {name!r} is of an unknown engine; known are {', '.join(ENGINES)}")
        if not what or not models:
            raise MutantError(f"mutant {name!r} needs a docstring: what is wrong, then a paragraph 'Models: ...'")
        if name in _declared:
            raise MutantError(f"mutant {name!r} is declared twice: rename one")
        change = by_replacing(targets, function) if targets else by_patch(contextmanager(function))
        _declared[name] = Mutant(name, engine, what, change)
        return function

    return register


def declared() -> list[Mutant]:
    """The mutants that were written by hand, of all modules imported so far."""
    return list(_declared.values())


def by_patch(patch: Callable[[], AbstractContextManager[None]]) -> Change:
    """A change of the library itself: the adapter stays the same."""

    @contextmanager
    def change(adapter: Any) -> Iterator[Any]:
        with patch():
            yield adapter

    return change


def by_replacing(targets: Iterable[str], replace: Callable[[Any], Any]) -> Change:
    """Each dotted name means what `replace` returns for what it meant. Raises MutantError if any is gone."""
    return by_patch(partial(_replaced, targets, replace))


@contextmanager
def _replaced(targets: Iterable[str], replace: Callable[[Any], Any]) -> Iterator[None]:
    with ExitStack() as stack:
        for owner, _, name in (target.rpartition(".") for target in targets):
            try:
                # Late, when the mutant is opened: by then the engine is loaded, and by_hand imports none.
                resolved = pkgutil.resolve_name(owner)
            except (ImportError, AttributeError):
                raise MutantError(f"there is no {owner!r} any more: point the mutant at what took its place") from None
            stack.enter_context(patched(resolved, name, replace))
        yield


@contextmanager
def patched(owner: Any, name: str, replace: Callable[[Any], Any]) -> Iterator[None]:
    """Let `owner.name` be `replace(what it was)`. Raises MutantError if there is no such name.

    Classes keep what lies in their own `__dict__`, so that a static method comes back as such.
    """
    if not hasattr(owner, name):
        raise MutantError(f"{owner!r} has no {name!r} any more: point the mutant at what took its place")
    # An inherited attribute is not the class's: restoring must delete it.
    own = vars(owner).get(name, _ABSENT) if hasattr(owner, "__dict__") else _ABSENT
    setattr(owner, name, replace(getattr(owner, name)))
    try:
        yield
    finally:
        if own is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, own)


_ABSENT = object()
