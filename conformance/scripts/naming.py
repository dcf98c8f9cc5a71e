"""How a script names what a piece of code means by a name: an import, a literal, or a definition that comes along."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from conformance.scripts.folding import is_literal, literal
from conformance.scripts.parts import Origin, Parts
from conformance.scripts.trees import Underivable, binding, inserted

__all__ = ["EXPECTATIONS", "RUNTIME", "is_ours", "of_name", "of_result", "of_value"]

EXPECTATIONS, RUNTIME = "conformance.expect", "conformance.scripts.runtime"

Define = Callable[[Origin, str, ast.stmt], str]


def is_ours(parts: Parts, module: str) -> bool:
    """Whether a module's code comes along: the suite's, the chapter's, the adapter's. Others are imported."""
    tops = {kind.__module__.partition(".")[0] for kind in type(parts.adapter).__mro__ if kind is not object}
    top = module.partition(".")[0]
    return top in tops | {"conformance"} or top.startswith("chapter_")


def of_name(parts: Parts, origin: Origin, name: str, define: Define) -> ast.expr:
    """What a script says for a name that stands for something of a module, or of Python's own."""
    statement = binding(origin.namespace, name)
    if statement is None:
        if name in origin.namespace or not hasattr(builtins, name):
            raise Underivable(f"where the name {name!r} comes from cannot be read in {origin.namespace['__name__']}")
        return ast.Name(name, ast.Load())
    if isinstance(statement, ast.Import):
        return _imported(parts, statement, name, origin.namespace[name])
    if isinstance(statement, ast.ImportFrom):
        return _imported_from(parts, statement, name, origin, define)
    if isinstance(value := getattr(statement, "value", None), ast.expr) and is_literal(value) and _is_short(value):
        return ast.parse(ast.unparse(value), mode="eval").body
    return inserted(define(Origin(origin.namespace, _ad(origin)), name, statement))


def _ad(origin: Origin) -> dict[str, Any]:
    """Functions of a chapter speak to the engine, too; those beside an adapter are given what they need."""
    return {name: root for name, root in origin.roots.items() if name == "ad"}


def _is_short(value: ast.expr) -> bool:
    return len(ast.unparse(value)) <= 40


def _imported(parts: Parts, statement: ast.Import, name: str, module: Any) -> ast.expr:
    aliases = [alias for alias in statement.names if (alias.asname or alias.name.partition(".")[0]) == name]
    alias = aliases[0]
    return _named(parts, name, f"import {alias.name if alias.asname else name}", module)


def _named(parts: Parts, name: str, source: str, module: Any) -> ast.Name:
    node = inserted(parts.library.imported(name, source))
    vars(node)["stands_for"] = module
    return node


def _imported_from(parts: Parts, statement: ast.ImportFrom, name: str, origin: Origin, define: Define) -> ast.expr:
    module = str(statement.module)
    (original,) = (alias.name for alias in statement.names if (alias.asname or alias.name) == name)
    if module == EXPECTATIONS:
        module = RUNTIME
    if is_ours(parts, module):
        source = sys.modules[module]
        if isinstance(getattr(source, original, None), ModuleType):
            raise Underivable(f"{module}.{original} is a module of the suite's own")
        return of_name(parts, Origin(vars(source), _ad(origin)), original, define)
    return _named(parts, name, f"from {module} import {original}", origin.namespace[name])


def of_value(parts: Parts, value: Any, name: str, owner: Any) -> ast.expr:
    """What a script says for a value that an adapter holds under a name. Raises Underivable."""
    if isinstance(value, ModuleType):
        return _module(parts, value, name, owner)
    found = of_result(parts, value, owner)
    if found is None:
        raise Underivable(f"{type(owner).__name__}.{name} is state of the adapter's own: {type(value).__name__}")
    return found


def _module(parts: Parts, module: ModuleType, name: str, owner: Any) -> ast.expr:
    """A module by the short name that the adapter imports it under; or as its holder calls it, if it is a library."""
    full = module.__name__
    for namespace in _namespaces(owner, parts.adapter):
        for alias, other in namespace.items():
            statement = binding(namespace, alias) if other is module else None
            if isinstance(statement, ast.Import) and alias != full.partition(".")[0]:
                return _imported(parts, statement, alias, module)
    if "." not in full:
        return _named(parts, name, f"import {full}", module)
    top, *rest = full.split(".")
    node: ast.expr = _named(parts, top, f"import {top}", sys.modules[top])
    for part in rest:
        node = ast.Attribute(node, part, ast.Load())
    return node


def _namespaces(*owners: Any) -> list[dict[str, Any]]:
    """The modules in which the classes of these stand."""
    names = dict.fromkeys(kind.__module__ for owner in owners for kind in type(owner).__mro__)
    return [vars(sys.modules[name]) for name in names]


def of_result(parts: Parts, value: Any, owner: Any) -> ast.expr | None:
    """A value as a literal, or as something that a module of the owner's has under a name; None if it is neither."""
    if (found := literal(value)) is not None:
        return found
    for name, module in _modules(owner):
        for key in (str(value).rpartition(".")[2], getattr(value, "__name__", None)):
            if isinstance(key, str) and key.isidentifier() and getattr(module, key, None) is value:
                return ast.Attribute(_module(parts, module, name, owner), key, ast.Load())
    return None


def _modules(owner: Any) -> list[tuple[str, ModuleType]]:
    """The modules that an owner holds, and then those that its code imports."""
    held = [vars(owner), *(vars(kind) for kind in type(owner).__mro__)]
    named = ((name, value) for one in [*held, *_namespaces(owner)] for name, value in one.items())
    return [(name, value) for name, value in named if isinstance(value, ModuleType)]
