"""What a mutant is: an engine with one thing changed, for as long as a context manager is open.

A mutant changes a rule, a flag, a default or a mode of an engine. It never looks at which behaviour runs.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

__all__ = ["ENGINES", "Change", "Mutant", "MutantError", "mutant", "patched", "replaced", "written"]

# The engines that have mutants, and the library that each is made of.
ENGINES = {"reference": "reference_engine", "torch": "torch", "torch_func": "torch", "jax": "jax"}

Change = Callable[[], AbstractContextManager[None]]
Declared = TypeVar("Declared", bound=Callable[..., Any])


class MutantError(Exception):
    """A mutant cannot be made: what it changes is gone, or it is declared wrongly. The message names it."""


@dataclass(frozen=True)
class Mutant:
    """An engine that is wrong in one way.

    `what` says in a sentence what is wrong. `change` opens the context in which
    the engine is so. `reached_by` names the places in the source one of which must run for the change to matter;
    empty where that is not known. `shown_by` names others that must run in some behaviour for the change to count.
    """

    name: str
    engine: str
    what: str
    change: Change = field(compare=False, repr=False)
    reached_by: frozenset[str] = frozenset()
    shown_by: frozenset[str] = frozenset()


# Filled by the decorator while `population` imports the modules of by_hand.
_written: dict[str, Mutant] = {}


def mutant(engine: str, *targets: str) -> Callable[[Declared], Declared]:
    """Register a function as a mutant of `engine`.

    With targets, dotted names such as `torch.Tensor.detach`, the function makes of what each of them is what the wrong
    engine has in its place. Without, it is a generator, and what comes before its `yield` makes the engine wrong.
    The docstring says what is wrong, and then, in a paragraph "Models: ...", which real mistake that is. Raises
    MutantError for an unknown engine, a docstring without these parts, and a name that is taken.
    """

    def register(declared: Declared) -> Declared:
        what, _, models = " ".join((inspect.getdoc(declared) or "").split()).partition(" Models: ")
        name = f"{engine}:{declared.__name__}"
        if engine not in ENGINES:
            raise MutantError(f"mutant {name!r} is of an unknown engine; known are {', '.join(ENGINES)}")
        if not what or not models:
            raise MutantError(f"mutant {name!r} needs a docstring: what is wrong, then a paragraph 'Models: ...'")
        if name in _written:
            raise MutantError(f"mutant {name!r} is declared twice: rename one")
        change = partial(replaced, targets, declared) if targets else contextmanager(declared)
        _written[name] = Mutant(name, engine, what, change)
        return declared

    return register


def written() -> list[Mutant]:
    """The mutants that were written by hand, of all modules imported so far."""
    return list(_written.values())


@contextmanager
def replaced(targets: Iterable[str], replace: Callable[[Any], Any]) -> Iterator[None]:
    """Let each dotted name mean what `replace` makes of what it means. Raises MutantError if one is gone."""
    with ExitStack() as stack:
        for owner, _, name in (target.rpartition(".") for target in targets):
            try:
                found = pkgutil.resolve_name(owner)
            except (ImportError, AttributeError):
                raise MutantError(f"there is no {owner!r} any more: point the mutant at what took its place") from None
            stack.enter_context(patched(found, name, replace))
        yield


@contextmanager
def patched(owner: Any, name: str, replace: Callable[[Any], Any]) -> Iterator[None]:
    """Let `owner.name` be `replace(what it was)`. Raises MutantError if there is no such name.

    Classes keep what lies in their own `__dict__`, so that a static method comes back as one.
    """
    if not hasattr(owner, name):
        raise MutantError(f"{owner!r} has no {name!r} any more: point the mutant at what took its place")
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
