"""Finding adapters: by name through an entry point group, or by `module:Class`, each with parameters behind a colon."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import conformance
from conformance import declarations
from conformance.messages import format_error
from conformance.protocol.adapter import Adapter, AdapterError

__all__ = ["GROUP", "EngineError", "EngineSpec", "digest", "installed", "load", "parse"]

GROUP = "autograd_conformance.adapters"


class EngineError(Exception):
    """An engine cannot be spoken to; the message names it and says what to do."""


@dataclass(frozen=True)
class EngineSpec:
    """An engine as it was asked for: `torch`, `torch:device=xpu`, `jax:jit`, `my_package.adapter:MyAdapter`."""

    text: str
    target: str
    parameters: Mapping[str, str]


def installed() -> dict[str, EntryPoint]:
    """The adapters that installed distributions register, by name. Imports none of them."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def parse(text: str) -> EngineSpec:
    """Take the text apart without importing anything. Raises EngineError if no adapter can be meant."""
    head, _, rest = text.partition(":")
    known = installed()
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
    """Import the adapter, and with it its engine. Raises EngineError in one line, whatever the import raises."""
    spec, kind = _chosen(spec)
    try:
        adapter: Adapter = kind(spec.parameters)
        problem = declarations.problem(adapter)
    except AdapterError as error:
        raise EngineError(f"engine {spec.text!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise EngineError(f"engine {spec.text!r}: {spec.target} cannot be made: {format_error(error)}") from error
    if problem:
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    return adapter


def _chosen(spec: EngineSpec) -> tuple[EngineSpec, type[Adapter]]:
    """The class that is meant, which a parameter without a value may name, and the spec without that parameter."""
    kind = _adapter(spec)
    flag = next((name for name, value in spec.parameters.items() if not value and name in kind.variants), None)
    if flag is None:
        return spec, kind
    rest = {name: value for name, value in spec.parameters.items() if name != flag}
    chosen = EngineSpec(spec.text, kind.variants[flag], rest)
    return chosen, _adapter(chosen)


def _adapter(spec: EngineSpec) -> type[Adapter]:
    kind = _imported(spec)
    problem = _lacks(kind)
    if problem:
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    return kind


def _imported(spec: EngineSpec) -> type:
    module, _, name = spec.target.partition(":")
    # An adapter beside the user is found, as `python -m` would find it.
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


def _lacks(kind: type) -> str:
    """What a class lacks to be an adapter, as the end of a sentence."""
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
    """The extra of the adapter's distribution that brings a module; the module itself if no extra does."""
    for line in (point.dist.requires if point.dist else None) or ():
        found = re.match(rf"{re.escape(module)}\b.*extra == ['\"]([\w-]+)['\"]", line)
        if point.dist and found:
            return f"'{point.dist.name}[{found[1]}]'"
    return module


def digest(adapter: Adapter) -> str:
    """A digest of the adapter's source: of the modules of the packages that its classes stand in."""
    tops = {base.__module__.partition(".")[0] for base in type(adapter).__mro__ if base is not object}
    digest = hashlib.sha256()
    for name in sorted(name for name in sys.modules if name.partition(".")[0] in tops - {conformance.__name__}):
        path = Path(getattr(sys.modules[name], "__file__", None) or "")
        digest.update(name.encode() + (path.read_bytes() if path.suffix == ".py" and path.exists() else b""))
    return digest.hexdigest()[:12]
