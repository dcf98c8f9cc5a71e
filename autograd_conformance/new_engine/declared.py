"""Checks of an adapter's class, without a call: misspelt verbs, verbs with other arguments, verbs that it has."""

from __future__ import annotations

import difflib
import dis
import inspect
from collections.abc import Iterator
from operator import attrgetter
from types import CodeType
from typing import Any

from autograd_conformance.new_engine.records import CheckFailure
from conformance.messages import format_error
from conformance.protocol import Adapter, Verb, vocabulary

ALIKE = 0.8  # of two names, by difflib's measure: `graad` is meant to be `grad`, a helper called `jnp` is not


def lookup(adapter: Any, name: str) -> Any:
    """The adapter's method for a verb by dotted name, or None where there is none, or none that can be looked up."""
    try:
        return attrgetter(name)(adapter)
    except Exception:
        return None


def unreadable(adapter: Adapter) -> None:
    """Raises CheckFailure for a verb that raises when it is looked up, such as a property."""
    for name in vocabulary():
        try:
            attrgetter(name)(adapter)
        except AttributeError:
            continue
        except Exception as error:
            raise CheckFailure(f"{name}: {format_error(error)} when it is looked up", "a method") from error


def absent(adapter: Adapter) -> set[str]:
    """The verbs that are declared absent as a whole."""
    return {feature for absence in adapter.absences for feature in absence.features} & set(vocabulary())


def written(adapter: Adapter) -> set[str]:
    """The verbs that have a method, and are not declared absent."""
    return {name for name in vocabulary() if lookup(adapter, name) is not None} - absent(adapter)


def misspelt(adapter: Adapter) -> None:
    """Raises CheckFailure for a public method that is no verb and is called almost like one that is not written."""
    missing = [verb for verb in vocabulary() if lookup(adapter, verb) is None]
    for name in _methods(adapter):
        near = difflib.get_close_matches(name, missing, n=1, cutoff=ALIKE)
        if near and name not in vocabulary():
            raise CheckFailure(f"a method {name}", f"the verb {near[0]}")


def _methods(adapter: Adapter) -> Iterator[str]:
    """The dotted names of public methods, but for those that every adapter has."""
    for prefix in ("", *sorted({verb.partition(".")[0] for verb in vocabulary() if "." in verb})):
        owner = getattr(adapter, prefix, None) if prefix else adapter
        for name in dir(owner):
            if not name.startswith("_") and not hasattr(Adapter, name) and callable(lookup(owner, name)):
                yield f"{prefix}.{name}" if prefix else name


def raising(adapter: Adapter) -> None:
    """Raises CheckFailure for a verb with a `raise` in it, which a behaviour may take for the engine's own error."""
    for name in sorted(written(adapter)):
        method = lookup(adapter, name)  # a function that is no method is the engine's, under its own name
        if inspect.ismethod(method) and not hasattr(Adapter, name) and _raises(method.__code__):
            raise CheckFailure(f"a `raise` in {name}", "none: the engine raises errors, and no adapter")


def _raises(code: CodeType) -> bool:
    """Whether there is a `raise` in a compiled function, or in one that is defined in it."""
    own = any(instruction.opname == "RAISE_VARARGS" for instruction in dis.get_instructions(code))
    return own or any(_raises(inner) for inner in code.co_consts if isinstance(inner, CodeType))


def unlike_protocol(adapter: Adapter) -> None:
    """Raises CheckFailure for a verb that cannot be called as the protocol calls it."""
    for name in sorted(written(adapter)):
        verb = vocabulary()[name]
        if complaint := _misfit(verb, lookup(adapter, name)):
            raise CheckFailure(f"{name}: {complaint}", f"{name}{verb.signature}")


def _misfit(verb: Verb, method: Any) -> str:
    """The complaint about a method's arguments, or empty. Optional ones may be left out: they are unsupported."""
    try:
        taken = inspect.signature(method)
    except ValueError:
        return ""  # native code without a signature to look at
    except TypeError as error:
        return format_error(error)
    every = verb.signature.parameters.values()
    needed = [p for p in every if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    try:
        # Only whether the arguments fit: the values bound do not matter.
        taken.bind(*needed)
    except TypeError as error:
        return str(error)
    named = [name for name in taken.parameters if name in verb.signature.parameters]
    ordered = [name for name in verb.signature.parameters if name in named]
    return "" if named == ordered else f"its arguments are in the order {', '.join(named)}"
