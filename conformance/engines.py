"""Finding and loading adapters: by entry point name or `module:Class`, either with parameters after a colon.

What an adapter declares is validated here, once, so that nothing else has to handle a wrong declaration.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from conformance import behaviour
from conformance.compare import brief
from conformance.messages import format_error
from conformance.protocol import Absence, Adapter, AdapterError, nearest_verb, vocabulary

__all__ = ["GROUP", "EngineError", "EngineSpec", "installed", "load", "parse"]

GROUP = "autograd_conformance.adapters"
SOURCES = [one.name for one in vars(behaviour).values() if isinstance(one, behaviour.Source)]


class EngineError(Exception):
    """An adapter cannot be found or loaded; the message names it and says what to do."""


@dataclass(frozen=True)
class EngineSpec:
    """An engine as given by the user: `torch`, `torch:device=xpu`, `jax:jit`, `my_package.adapter:MyAdapter`."""

    text: str
    target: str
    parameters: Mapping[str, str]


def installed() -> dict[str, EntryPoint]:
    """The adapters that installed distributions register, by name. Imports none of them."""
    # Sorted, so that messages and `--help` do not depend on the order of installation.
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def parse(text: str) -> EngineSpec:
    """Parse an engine's name without importing it. Raises EngineError if no adapter has that name."""
    head, _, rest = text.partition(":")
    known = installed()
    # A colon separates parameters from a name, and a class from its module: an installed name goes first.
    if head in known:
        return EngineSpec(text, known[head].value, _parameters(text, rest))
    kind, _, given = rest.partition(":")
    if re.fullmatch(r"[\w.]+", head) and kind.isidentifier():
        return EngineSpec(text, f"{head}:{kind}", _parameters(text, given))
    near = difflib.get_close_matches(head, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}, or give module:Class"
    raise EngineError(f"unknown engine {text!r}; {hint}")


def _parameters(text: str, given: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in given.split(",") if part]
    if any(not name.isidentifier() for name, _, _ in pairs):
        raise EngineError(f"engine {text!r}: {given!r} is not a list of parameters; write name=value,name=value")
    return {name: value for name, _, value in pairs}


def load(spec: EngineSpec) -> Adapter:
    """Import the adapter, and with it its engine. Raises EngineError, in one line, for any exception of the import."""
    spec, kind = _chosen(spec)
    try:
        adapter: Adapter = kind(spec.parameters)
        problem = next(_problems(adapter), "")
    except AdapterError as error:
        raise EngineError(f"engine {spec.text!r}: {error}") from None
    except (Exception, SystemExit) as error:  # third-party code: anything may come out of it
        raise EngineError(f"engine {spec.text!r}: {spec.target} cannot be created: {format_error(error)}") from error
    if problem:
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    return adapter


def _chosen(spec: EngineSpec) -> tuple[EngineSpec, type[Adapter]]:
    """The class, which a parameter without a value may select (`jax:jit`), and the spec without that parameter."""
    kind = _adapter(spec)
    # Another class per variant, because jit, for example, changes many verbs at once.
    flag = next((name for name, value in spec.parameters.items() if not value and name in kind.variants), None)
    if flag is None:
        return spec, kind
    rest = {name: value for name, value in spec.parameters.items() if name != flag}
    chosen = EngineSpec(spec.text, kind.variants[flag], rest)
    return chosen, _adapter(chosen)


def _adapter(spec: EngineSpec) -> type[Adapter]:
    kind = _imported(spec)
    problem = _not_an_adapter(kind)
    if problem:
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    return kind


def _imported(spec: EngineSpec) -> type:
    module, _, name = spec.target.partition(":")
    # As `python -m` does: an adapter in the working directory can be imported.
    if str(Path.cwd()) not in sys.path and "" not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        kind = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        raise EngineError(f"engine {spec.text!r}: {format_error(error)}; {_install_hint(spec, error.name)}") from error
    except (Exception, SystemExit) as error:
        raise EngineError(f"engine {spec.text!r}: importing {module!r} raised {format_error(error)}") from error
    if kind is None:
        raise EngineError(f"engine {spec.text!r}: module {module!r} has no class {name!r}")
    if not isinstance(kind, type):
        raise EngineError(f"engine {spec.text!r}: {spec.target} is {kind!r}, expected a class")
    return kind


def _not_an_adapter(kind: type) -> str:
    """Why a class is not an adapter, as the end of a sentence; empty if it is one."""
    if not issubclass(kind, Adapter):
        return "is not an adapter: derive it from conformance.protocol.Adapter"
    if not isinstance(kind.name, str) or not kind.name:
        return "has no name: set the class attribute `name` to the engine's"
    return ""


def _install_hint(spec: EngineSpec, missing: str | None) -> str:
    point = installed().get(spec.text.partition(":")[0])
    if missing and point:
        return f"install the engine, for example: pip install {_requirement(point, missing.partition('.')[0])}"
    return "check the path, and that the module can be imported from here"


def _requirement(point: EntryPoint, module: str) -> str:
    """The extra of the adapter's distribution that requires a module; the module itself if no extra does."""
    for line in (point.dist.requires if point.dist else None) or ():
        found = re.match(rf"{re.escape(module)}\b.*extra == ['\"]([\w-]+)['\"]", line)
        if point.dist and found:
            return f"'{point.dist.name}[{found[1]}]'"
    return module


def _problems(adapter: Adapter) -> Iterator[str]:
    """What is wrong with an adapter's declarations, each as the end of a sentence. Raises what they raise."""
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
        if source not in SOURCES:
            yield f"is held to {brief(source)}, which is not a source: choose from {', '.join(SOURCES)}"
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
            yield f"lacks {brief(feature)}, which is not a feature; did you mean {nearest_verb(str(feature))!r}?"
    if not all(isinstance(text, str) and text for text in (absence.reason, absence.source)):
        yield f"lacks {', '.join(absence.features)} without a reason and a source: give both as strings"
    if not callable(absence.probe):
        yield f"lacks {', '.join(absence.features)} with the probe {brief(absence.probe)}: give a function of `ad`"
