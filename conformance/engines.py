"""Finding and loading adapters: by entry point name or `module:Class`, either with parameters after a colon.

What an adapter declares is checked here (`declaration`), so that nothing else has to handle a wrong declaration.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from conformance.declaration import Declaration, DeclarationError, declared
from conformance.messages import InputError, format_error
from conformance.protocol import Adapter, AdapterError

GROUP = "autograd_conformance.adapters"


class EngineError(InputError):
    """There is no such adapter, or it cannot be loaded; the message names it, and the remedy."""


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
    """Import the adapter, and with it its engine. Raises EngineError, in a line, for any exception of the import."""
    return load_declared(spec)[0]


def load_declared(spec: EngineSpec) -> tuple[Adapter, Declaration]:
    """The adapter, as `load`, and what it declares."""
    spec, kind = _chosen(spec)
    try:
        adapter: Adapter = kind(spec.parameters)
        return adapter, declared(adapter)
    except AdapterError as error:
        raise EngineError(f"engine {spec.text!r}: {error}") from None
    except DeclarationError as error:
        raise EngineError(f"engine {spec.text!r}: {spec.target} {error}") from None
    except (Exception, SystemExit) as error:  # third-party code: anything may come out of it
        raise EngineError(f"engine {spec.text!r}: {spec.target} cannot be created: {format_error(error)}") from error


def _chosen(spec: EngineSpec) -> tuple[EngineSpec, type[Adapter]]:
    """The class, which a parameter without a value may select (`jax:jit`), and the spec without that parameter."""
    kind = adapter_class(spec)
    # Another class per variant, because jit, for example, changes many verbs at once.
    flag = next((name for name, value in spec.parameters.items() if not value and name in kind.variants), None)
    if flag is None:
        return spec, kind
    rest = {name: value for name, value in spec.parameters.items() if name != flag}
    chosen = EngineSpec(spec.text, kind.variants[flag], rest)
    return chosen, adapter_class(chosen)


def adapter_class(spec: EngineSpec) -> type[Adapter]:
    """The adapter's class, imported, and not yet created. Raises EngineError."""
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
    if not issubclass(kind, Adapter):
        problem = "is not an adapter: derive it from conformance.protocol.Adapter"
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    # The class is looked at, too: a class may have a name that its instances have not, and may raise an error here.
    if not isinstance(kind.name, str) or not kind.name:
        problem = "has no name: set the class attribute `name` to the engine's"
        raise EngineError(f"engine {spec.text!r}: {spec.target} {problem}")
    return kind


def _install_hint(spec: EngineSpec, missing: str | None) -> str:
    point = installed().get(spec.text.partition(":")[0])
    if missing and point:
        return f"install the engine, for example: pip install {_requirement(point, missing.partition('.')[0])}"
    return "check the path, and that the module can be imported from here"


def _requirement(point: EntryPoint, module: str) -> str:
    """The extra of the adapter's distribution that requires a module; the module itself if no extra does."""
    for line in (point.dist.requires if point.dist else None) or ():
        match = re.match(rf"{re.escape(module)}\b.*extra == ['\"]([\w-]+)['\"]", line)
        if point.dist and match:
            return f"'{point.dist.name}[{match[1]}]'"
    return module
