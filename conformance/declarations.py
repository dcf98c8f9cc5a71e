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

PROMISERS = [one.name for one in vars(behaviour).values() if isinstance(one, behaviour.Promiser)]


def problem(adapter: Adapter) -> str:
    """What is wrong with a declaration, as the end of a sentence; empty where nothing is. Raises what it raises."""
    return next(_problems(adapter), "")


def _problems(adapter: Adapter) -> Iterator[str]:
    version, state, expectations = adapter.version, adapter.global_state(), adapter.expectations
    if not isinstance(version, str) or not version:
        yield f"has the version {brief(version)}: give the engine's own as a string"
    if not isinstance(state, Mapping):
        yield f"has a global_state of {brief(state)}: return a dictionary, name to value"
    if not isinstance(expectations, Path | None):
        yield f"has the expectations {brief(expectations)}: give a pathlib.Path, or None"
    yield from _held_to(adapter.held_to)
    yield from _absences(adapter.absences)


def _held_to(held_to: Any) -> Iterator[str]:
    if not isinstance(held_to, Mapping):
        yield f"is held to {brief(held_to)}: give a dictionary, promiser to version"
        return
    for promiser, version in held_to.items():
        if promiser not in PROMISERS:
            yield f"is held to {brief(promiser)}, who is no promiser: choose from {', '.join(PROMISERS)}"
        elif not _is_version(version):
            yield f"is held to version {brief(version)} of {promiser}: give it as a string such as '2.13'"


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
    notions = {notion for verb in vocabulary().values() for notion in verb.notions}
    if not isinstance(absence.notions, tuple | list):
        yield f"has an absence of {brief(absence.notions)}: give a tuple of notions"
        return
    for notion in absence.notions:
        if notion not in notions:
            yield f"lacks {brief(notion)}, which is no notion; did you mean {nearest_verb(str(notion))!r}?"
    if not all(isinstance(text, str) and text for text in (absence.reason, absence.source)):
        yield f"lacks {', '.join(absence.notions)} without a reason and a source: give both as strings"
    if not callable(absence.probe):
        yield f"lacks {', '.join(absence.notions)} with the probe {brief(absence.probe)}: give a function of `ad`"
