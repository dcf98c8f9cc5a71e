"""What an adapter's class shows without a call: verbs misspelt, verbs with other arguments, what is written at all."""

from __future__ import annotations

import difflib
import dis
import inspect
from collections.abc import Iterator
from types import CodeType
from typing import Any

from autograd_conformance.new_engine.records import CheckFailure
from conformance.messages import format_error
from conformance.protocol import Adapter, Namespace, Verb, vocabulary

__all__ = ["absent", "lookup", "misspelt", "raising", "unlike_protocol", "written"]

ALIKE = 0.8  # of two names, by difflib's measure: `graad` is meant to be `grad`, a helper called `jnp` is not


def lookup(adapter: Adapter, name: str) -> Any:
    """The adapter's method for a verb by dotted name, or None where there is none."""
    found: Any = adapter
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def absent(adapter: Adapter) -> set[str]:
    """The verbs that are declared absent as a whole."""
    return {feature for absence in adapter.absences for feature in absence.features} & set(vocabulary())


def written(adapter: Adapter) -> set[str]:
    """The verbs that have a method, and are not declared absent."""
    return {name for name in vocabulary() if lookup(adapter, name) is not None} - absent(adapter)


def misspelt(adapter: Adapter) -> None:
    """Raises CheckFailure for a public method that is no verb and is called almost like one that is not written."""
    for prefix, owner in _owners(adapter):
        left = [name for name in vocabulary() if name.startswith(prefix) and lookup(adapter, name) is None]
        for name in _methods(owner):
            near = difflib.get_close_matches(f"{prefix}{name}", left, n=1, cutoff=ALIKE)
            if near and f"{prefix}{name}" not in vocabulary():
                todo = "rename it, or begin a helper with _"
                raise CheckFailure(f"a method {prefix}{name}", f"the verb {near[0]}", todo)


def _owners(adapter: Adapter) -> Iterator[tuple[str, Any]]:
    """The adapter and its namespaces, each with the prefix of its verbs."""
    yield "", adapter
    for prefix in sorted({name.partition(".")[0] for name in vocabulary() if "." in name}):
        if (owner := getattr(adapter, prefix, None)) is not None:
            yield f"{prefix}.", owner


def _methods(owner: Any) -> Iterator[str]:
    """The public methods of an object that are its own, and not every adapter's."""
    if isinstance(owner, Namespace):
        yield from dir(owner)
        return
    for name in dir(type(owner)):
        member = inspect.getattr_static(owner, name)
        if not name.startswith("_") and inspect.isroutine(member) and not hasattr(Adapter, name):
            yield name


def raising(adapter: Adapter) -> None:
    """Raises CheckFailure for a verb with a `raise` in it, which a behaviour may take for the engine's own error."""
    for name in sorted(written(adapter)):
        method = lookup(adapter, name)  # a function that is no method is the engine's, under its own name
        if inspect.ismethod(method) and not hasattr(Adapter, name) and _raises(method.__code__):
            todo = "leave out what the engine does not have: it is unsupported then, or an absence with a probe"
            raise CheckFailure(f"a `raise` in {name}", "none: the engine raises errors, and no adapter", todo)


def _raises(code: CodeType) -> bool:
    """Whether there is a `raise` in a compiled function, or in one that is defined in it."""
    own = any(one.opname == "RAISE_VARARGS" for one in dis.get_instructions(code))
    return own or any(_raises(inner) for inner in code.co_consts if isinstance(inner, CodeType))


def unlike_protocol(adapter: Adapter) -> None:
    """Raises CheckFailure for a verb that cannot be called as the protocol calls it."""
    for name in sorted(written(adapter)):
        verb = vocabulary()[name]
        if complaint := _misfit(verb, lookup(adapter, name)):
            todo = f"give `{name}` the protocol's arguments"
            raise CheckFailure(f"{name}: {complaint}", f"{name}{verb.signature}", todo)


def _misfit(verb: Verb, method: Any) -> str:
    """What is wrong with a method's arguments. Optional ones may be left out: they are unsupported then."""
    try:
        taken = inspect.signature(method)
    except ValueError:
        return ""  # native code without a signature to look at
    except TypeError as error:
        return format_error(error)
    every = verb.signature.parameters.values()
    needed = [one for one in every if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    try:
        taken.bind(*needed)
    except TypeError as error:
        return str(error)
    named = [one for one in taken.parameters if one in verb.signature.parameters]
    ordered = [one for one in verb.signature.parameters if one in named]
    return "" if named == ordered else f"its arguments are in the order {', '.join(named)}"
