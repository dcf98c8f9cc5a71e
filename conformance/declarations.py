"""What an adapter says about itself, held against what the protocol asks for, before any behaviour is tried on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from conformance import behaviour
from conformance.compare import brief
from conformance.protocol import Absence, Adapter, nearest_verb, vocabulary

__all__ = ["problem"]

PROMISERS = [one.name for one in vars(behaviour).values() if isinstance(one, behaviour.Source)]


def problem(adapter: Adapter) -> str:
    """What is wrong with a declaration, as the end of a sentence; empty where nothing is. Raises what it raises."""
    return next(_problems(adapter), "")


def _problems(adapter: Adapter) -> Iterator[str]:
    version, state, known_failures = adapter.version, adapter.global_state(), adapter.known_failures
    if not isinstance(version, str) or not version:
        yield f"has the version {brief(version)}: give the engine's own as a string"
    if not isinstance(state, Mapping):
        yield f"has a global_state of {brief(state)}: return a dictionary, name to value"
    if not isinstance(known_failures, Path | None):
        yield f"has the known failures {brief(known_failures)}: give a pathlib.Path, or None"
    yield from _held_to(adapter.held_to)
    yield from _absences(adapter.absences)


def _held_to(held_to: Any) -> Iterator[str]:
    if not isinstance(held_to, Mapping):
        yield f"is held to {brief(held_to)}: give a dictionary, source to version"
        return
    for source, version in held_to.items():
        if source not in PROMISERS:
            yield f"is held to {brief(source)}, who is no source: choose from {', '.join(PROMISERS)}"
        elif not _is_version(version):
            yield f"is held to version {brief(version)} of {source}: give it as a string such as '2.13'"


def _is_version(text: Any) -> bool:
    try:
        return isinstance(text, str) and bool(Version(text))
    except InvalidVersion:
        return False


def _absences(absences: Any) -> Iterator[str]:
    if not isinstance(absences, tuple | list):
        yield f"has the absences {brief(absences)}: give a tuple of Absence"
        return
    for absence in absences:
        if not isinstance(absence, Absence):
            yield f"has {brief(absence)} among its absences: give a tuple of Absence"
        else:
            yield from _absence(absence)


def _absence(absence: Absence) -> Iterator[str]:
    features = {feature for verb in vocabulary().values() for feature in verb.features}
    if not isinstance(absence.features, tuple | list):
        yield f"has an absence of {brief(absence.features)}: give a tuple of features"
        return
    for feature in absence.features:
        if feature not in features:
            yield f"lacks {brief(feature)}, which is no feature; did you mean {nearest_verb(str(feature))!r}?"
    if not all(isinstance(text, str) and text for text in (absence.reason, absence.source)):
        yield f"lacks {', '.join(absence.features)} without a reason and a source: give both as strings"
    if not callable(absence.probe):
        yield f"lacks {', '.join(absence.features)} with the probe {brief(absence.probe)}: give a function of `ad`"
