"""The vocabulary, read from the protocol: every verb's group, signature and meaning."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Generic, Protocol

from conformance.operations import TABLE
from conformance.operations.row import parsed
from conformance.protocol.operations import FUNCTIONAL
from conformance.protocol.verbs import Ad

__all__ = ["Verb", "nearest_verb", "verbs_of", "vocabulary"]


@dataclass(frozen=True)
class Verb:
    """One operation of the protocol: dotted name (`np.exp`), the group it belongs to, signature and meaning."""

    name: str
    group: str
    signature: inspect.Signature
    doc: str

    @property
    def features(self) -> tuple[str, ...]:
        """The verb itself and each of its optional arguments."""
        # Required arguments are no features: a verb without them cannot be called.
        optional = [p.name for p in self.signature.parameters.values() if p.default is not p.empty]
        return (self.name, *(f"{self.name}.{argument}" for argument in optional))


@cache
def vocabulary() -> Mapping[str, Verb]:
    """All verbs by dotted name."""
    verbs = [verb for group in _groups() for verb in _methods(group)]
    return {verb.name: verb for verb in (*verbs, *_operations(), *_functional())}


def verbs_of(*groups: str) -> tuple[str, ...]:
    """The names of all verbs of these groups, such as `Hooks`. ValueError for a name that is no group."""
    # An absence of a misspelt group would declare nothing, and its cells would be `unsupported` instead.
    if unknown := set(groups) - {verb.group for verb in vocabulary().values()}:
        raise ValueError(f"the protocol has no group {', '.join(sorted(unknown))}: groups are the classes of `Ad`")
    return tuple(verb.name for verb in vocabulary().values() if verb.group in groups)


def nearest_verb(name: str) -> str:
    """The verb whose name comes closest, for a message."""
    return next(iter(difflib.get_close_matches(name, vocabulary(), n=1, cutoff=0.0)), "")


def _groups() -> Iterator[type]:
    # Bases without a docstring only compose others.
    yield from (base for base in Ad.__mro__ if base not in (Generic, Protocol, object) and base.__doc__)


def _methods(group: type) -> Iterator[Verb]:
    for name, member in vars(group).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            signature = inspect.signature(member)
            # As a behaviour calls it: through an adapter, without self.
            own = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
            yield Verb(name, group.__name__, signature.replace(parameters=own), inspect.getdoc(member) or "")


def _operations() -> Iterator[Verb]:
    for name, operation in TABLE.items():
        yield Verb(f"np.{name}", operation.group, parsed(operation.signature), operation.meaning)


def _functional() -> Iterator[Verb]:
    for row, doc in FUNCTIONAL.items():
        yield Verb(f"functional.{row.partition('(')[0]}", "Functional", parsed(row), doc)
