"""The vocabulary, read from the protocol itself: every verb's group, signature and meaning."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Protocol, get_type_hints

from conformance.protocol.verbs import Ad

__all__ = ["Verb", "nearest_verb", "vocabulary"]


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
        optional = [p.name for p in self.signature.parameters.values() if p.default is not p.empty]
        return (self.name, *(f"{self.name}.{argument}" for argument in optional))


@cache
def vocabulary() -> Mapping[str, Verb]:
    """All verbs by dotted name."""
    return {verb.name: verb for group in _groups(Ad) for verb in _verbs(group, prefix="")}


def nearest_verb(name: str) -> str:
    """The verb whose name comes closest, for a message."""
    return next(iter(difflib.get_close_matches(name, vocabulary(), n=1, cutoff=0.0)), "")


def _groups(composed: type) -> Iterator[type]:
    yield from (base for base in composed.__mro__ if base not in (Generic, Protocol, object) and base.__doc__)


def _verbs(group: type, prefix: str) -> Iterator[Verb]:
    """The methods of a group; a property names a group within a group, such as `np`."""
    for name, member in vars(group).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield from (verb for part in _groups(_namespace(member)) for verb in _verbs(part, f"{prefix}{name}."))
        elif inspect.isfunction(member):
            yield _verb(f"{prefix}{name}", group.__name__, member)


def _namespace(member: property) -> type:
    kind: type = get_type_hints(member.fget)["return"]
    return kind


def _verb(name: str, group: str, member: Any) -> Verb:
    signature = inspect.signature(member)
    own = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    return Verb(name, group, signature.replace(parameters=own), inspect.getdoc(member) or "")
