"""An adapter's declaration of itself: read once, checked, turned into plain types, and not read again.

Everything else uses the declaration, so that an adapter that changes its answer later changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from conformance import behaviour
from conformance.compare import brief
from conformance.protocol import Absence, Adapter, Limitation, nearest_verb, vocabulary

SOURCES = [value.name for value in vars(behaviour).values() if isinstance(value, behaviour.Source)]


class DeclarationError(Exception):
    """An adapter's declaration is wrong; the message is the end of a sentence about the adapter."""


@dataclass(frozen=True)
class Declaration:
    """An adapter's name, version, parameters, sources that it is held to, absences, limitations, known failures, dtypes
    that its engine lacks."""

    name: str
    version: str
    parameters: Mapping[str, str]
    held_to: Mapping[str, str]
    absences: tuple[Absence, ...]
    limitations: tuple[Limitation, ...]
    known_failures: str
    missing_dtypes: tuple[str, ...]

    @cached_property
    def absent(self) -> Mapping[str, Absence]:
        """The absence of each feature that the engine lacks."""
        return {feature: absence for absence in self.absences for feature in absence.features}


def declared(adapter: Adapter, checked: bool = True) -> Declaration:
    """The declaration of an adapter, in plain types. Raises DeclarationError, and what the adapter's code raises.

    It is checked when an adapter is loaded; a trial by itself reads it without.
    """
    # Each is read once: a property may answer otherwise the second time.
    name, version, held_to, absences = adapter.name, adapter.version, adapter.held_to, adapter.absences
    known_failures, parameters = adapter.known_failures, getattr(adapter, "parameters", {})
    missing_dtypes, limitations = adapter.missing_dtypes, adapter.limitations
    if checked:
        problems = [*_problems(name, version, adapter.global_state(), known_failures, parameters)]
        problems += [*_held_to(held_to), *_lists(absences, limitations, missing_dtypes)]
        for problem in problems:
            raise DeclarationError(problem)
    return Declaration(
        # str() of a subclass such as torch's version type is plain text.
        name=_plain(name),
        version=_plain(version),
        parameters={_plain(key): _plain(value) for key, value in parameters.items()},
        held_to={_plain(source): _plain(held_to[source]) for source in held_to},
        absences=tuple(absences),
        limitations=tuple(limitations),
        known_failures="" if known_failures is None else str(known_failures),
        missing_dtypes=tuple(sorted(map(_plain, missing_dtypes))),
    )


def _plain(text: str) -> str:
    # Not str(), which calls the subclass's own method: its text may be another, or of that subclass.
    return "".join(str.__iter__(text))


def _problems(name: Any, version: Any, state: Any, known_failures: Any, parameters: Any) -> Iterator[str]:
    """Complaints about plain declarations, each as the end of a sentence."""
    if not isinstance(name, str) or not name:
        yield "has no name: set the class attribute `name` to the engine's"
    if not isinstance(version, str) or not version:
        yield f"has the version {brief(version)}: give the engine's own as a string"
    if not isinstance(state, Mapping):
        yield f"has a global_state of {brief(state)}: return a dictionary, name to value"
    if not isinstance(known_failures, Path | None):
        yield f"has the known failures {brief(known_failures)}: give a pathlib.Path, or None"
    if not isinstance(parameters, Mapping) or not all(_are(str, pair) for pair in parameters.items()):
        yield f"has the parameters {brief(parameters)}: give a dictionary, name to value, both strings"


def _held_to(held_to: Any) -> Iterator[str]:
    if not isinstance(held_to, Mapping):
        yield f"is held to {brief(held_to)}: give a dictionary, source to version"
        return
    for source, version in held_to.items():
        if source not in SOURCES:
            yield f"is held to {brief(source)}, which is not a source: choose from {', '.join(SOURCES)}"
        elif not _is_version(version):
            yield f"is held to version {brief(version)} of {source}: give it as a string such as '2.13'"


def _is_version(text: Any) -> bool:
    try:
        return isinstance(text, str) and bool(Version(text))
    except InvalidVersion:
        return False


def _lists(absences: Any, limitations: Any, dtypes: Any) -> Iterator[str]:
    if not _are(str, dtypes, frozenset | set | tuple | list):
        yield f"has the missing_dtypes {brief(dtypes)}: give a frozenset of names such as 'float64'"
    if not _are(Limitation, limitations):
        yield f"has the limitations {brief(limitations)}: give a tuple of Limitation"
    if not _are(Absence, absences):
        yield f"has the absences {brief(absences)}: give a tuple of Absence"
        return
    for absence in absences:
        yield from _absence(absence)


def _are(kind: type, values: Any, container: Any = tuple | list) -> bool:
    return isinstance(values, container) and all(isinstance(value, kind) for value in values)


def _absence(absence: Absence) -> Iterator[str]:
    # Verbs, and their optional arguments: backward.retain_graph is a feature, too.
    features = {feature for verb in vocabulary().values() for feature in verb.features}
    if not isinstance(absence.features, tuple | list):
        yield f"has an absence of {brief(absence.features)}: give a tuple of features"
        return
    for feature in absence.features:
        if feature not in features:
            yield f"lacks {brief(feature)}, which is not a feature; did you mean {nearest_verb(str(feature))!r}?"
    if not _are(str, texts := (absence.reason, absence.source)) or not all(texts):
        yield f"lacks {', '.join(absence.features)} without a reason and a source: give both as strings"
    if not callable(absence.probe):
        yield f"lacks {', '.join(absence.features)} with the probe {brief(absence.probe)}: give a function of `ad`"
