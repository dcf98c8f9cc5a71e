"""Digests of an engine, compared before and after a mutant to see that it restored everything."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Mapping
from functools import cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from conformance.protocol import Adapter
from workshop.mutant import ENGINES

# Not plain values: engines count and cache in their modules while they run, mutant or not.
_MADE_OF = (FunctionType, BuiltinFunctionType, type, property, staticmethod, classmethod)

Digest = dict[str, Any]


def digest(engine: str) -> Digest:
    """Functions with their code and defaults, names in modules and classes, rules of primitives, warning filters."""
    parts: Digest = {"warnings": tuple(map(id, warnings.filters))}
    for module in _modules(engine):
        parts.update(_names(module.__name__, vars(module)))
        for kind in list(vars(module).values()):
            # A class that is only imported is digested where it is defined.
            if issubclass(type(kind), type) and kind.__module__ == module.__name__:
                parts.update(_names(f"{module.__name__}.{kind.__qualname__}", vars(kind)))
    parts.update({f"code of {f.__qualname__} ({id(f):#x})": _code(f) for f in _functions(engine)})
    if engine == "reference":
        parts.update(_rules())
    return parts


def difference(before: Digest, after: Digest) -> str:
    """Names of what has changed or gone, the first three; empty where nothing has. What is new does not count."""
    changed = [name for name, value in before.items() if name not in after or after[name] != value]
    return ", ".join(changed[:3])


def modes(engine: str, adapter: Adapter) -> Mapping[str, Any]:
    """The switches of the engine: those that the adapter knows, and those that only the engine has."""
    switches = dict(type(adapter).global_state(adapter))
    if engine == "reference":
        from reference_engine.core import levels, modes

        names = ("grad", "inference", "anomaly", "transforms")
        switches.update({name: getattr(modes.state.now, name) for name in names}, levels=levels.depth())
    return switches


def _modules(engine: str) -> list[ModuleType]:
    tops = (ENGINES[engine], "adapters")
    named = [(name, m) for name, m in list(sys.modules.items()) if name.partition(".")[0] in tops]
    # A module may be listed under a second name, and would be compared twice.
    return [m for name, m in named if isinstance(m, ModuleType) and m.__name__ == name]


def _names(owner: str, inside: Mapping[str, Any]) -> Digest:
    # The type is asked, as isinstance would ask lazy proxies for `__class__`, which import or warn.
    return {f"{owner}.{name}": id(value) for name, value in list(inside.items()) if issubclass(type(value), _MADE_OF)}


def _code(function: FunctionType) -> tuple[int, int, int]:
    return id(function.__code__), id(function.__defaults__), id(function.__kwdefaults__)


# Cached before a worker freezes the collector: gc.get_objects then returns none of the engine's functions.
@cache
def _functions(engine: str) -> list[FunctionType]:
    """Every function of the engine that there is when this is first called, lambdas of tables among them."""
    top = ENGINES[engine]
    # Lambdas of rule tables have no name in any module: only the collector knows them.
    everything = [thing for thing in gc.get_objects() if type(thing) is FunctionType]
    return [f for f in everything if str(f.__module__).partition(".")[0] == top]


def _rules() -> Digest:
    from reference_engine import primitives

    rules = {}
    for name, primitive in vars(primitives).items():
        rule = getattr(primitive, "rule", None)
        if rule is not None:
            rules[f"rule of {name}"] = id(rule), tuple(vars(rule)), tuple(map(id, rule.formulas))
    return rules
