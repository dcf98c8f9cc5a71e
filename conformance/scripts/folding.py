"""What an expression comes to when parts of it are literals, and arguments that only repeat the callee's defaults."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from conformance.scripts.trees import Filled, fresh

__all__ = ["folded", "is_static", "literal", "static", "without_defaults"]


def literal(value: Any) -> ast.expr | None:
    """The expression that makes a value of Python's own; None if there is none."""
    if type(value) in (float, complex) and not abs(value) < float("inf"):
        return ast.parse(f"{type(value).__name__}({str(value)!r})", mode="eval").body
    if type(value) in (list, tuple):
        parts = [part for part in map(literal, value) if part is not None]
        kind = ast.List if type(value) is list else ast.Tuple
        return kind(parts, ast.Load()) if len(parts) == len(value) else None
    plain = type(value) in (type(None), type(...), bool, int, str, bytes, float, complex)
    return ast.parse(repr(value), mode="eval").body if plain else None


def static(node: ast.expr, known: Mapping[str, ast.expr] | None = None) -> Any:
    """The value of a literal, in which names may be `known` to be literals. Raises ValueError for anything else."""
    return ast.literal_eval(_Known(known or {}).visit(fresh(node)))


class _Known(Filled):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Numbers that are not finite have no literal: `float("nan")`."""
        made: Any = {"float": float, "complex": complex}.get(getattr(node.func, "id", ""))
        return ast.Constant(made(ast.literal_eval(node.args[0]))) if made and node.args else node


def is_static(node: Any, known: Mapping[str, ast.expr] | None = None) -> bool:
    """Whether an expression is a literal."""
    try:
        static(node, known)
    except (ValueError, TypeError):
        return False
    return True


def folded(node: ast.expr) -> ast.expr:
    """The same expression, where `f(*(a, b))` and `getattr(x, "name")` are said plainly."""
    if not isinstance(node, ast.Call):
        return node
    node.args = [part for one in node.args for part in _spread(one)]
    named = len(node.args) == 2 and isinstance(node.args[1], ast.Constant)
    if named and ast.unparse(node.func) == "getattr":
        return ast.Attribute(node.args[0], str(node.args[1].value), ast.Load())  # type: ignore[attr-defined]
    return node


def _spread(one: ast.expr) -> list[ast.expr]:
    return one.value.elts if isinstance(one, ast.Starred) and isinstance(one.value, ast.Tuple) else [one]


def without_defaults(call: ast.Call, array_type: Any) -> ast.Call:
    """The call of something of the engine's, without what the verb passed by default where the engine does the same.

    What stands behind such an argument is given by keyword.
    """
    if isinstance(call.func, ast.Name) and "object" not in vars(call.func):
        return call  # a function of the script
    spread = any(isinstance(node, ast.Starred) for node in call.args)
    defaults = {} if spread else _defaults(_target(call.func, array_type))
    call.keywords = [part for part in call.keywords if not _repeats(part.value, defaults.get(part.arg or ""))]
    names = [*defaults][: len(call.args)] if len(defaults) >= len(call.args) else [""] * len(call.args)
    pairs = list(zip(call.args, names, strict=True))
    while pairs and _repeats(pairs[-1][0], defaults.get(pairs[-1][1])):
        pairs.pop()
    again = [n for n, (node, name) in enumerate(pairs) if name and _repeats(node, defaults[name])]
    behind = pairs[again[0] :] if again else []
    call.args = [node for node, _ in pairs[: len(pairs) - len(behind)]]
    kept = [ast.keyword(name, node) for node, name in behind if not _repeats(node, defaults[name])]
    call.keywords = kept + call.keywords
    return call


def _repeats(node: ast.expr, default: Any) -> bool:
    """Whether an argument was not given by the check, and is what the callee does by itself: if unknown, for None."""
    if "default" not in vars(node) or not is_static(node):
        return False
    return static(node) is default or (type(static(node)) is type(default) and bool(static(node) == default))


def _target(node: ast.expr, array_type: Any) -> Any:
    """The live object that an expression names: something of a module, or a method of arrays; None if neither."""
    if not isinstance(node, ast.Attribute):
        return vars(node).get("object")
    owner = _target(node.value, array_type)
    if owner is None and not isinstance(node.value, ast.Attribute):
        owner = array_type
    return getattr(owner, node.attr, None) if isinstance(owner, (ModuleType, type)) else None


@cache
def _defaults(target: Any) -> Mapping[str, Any]:
    """The arguments of a callee that go by place or name, with their defaults, as far as they can be told."""
    try:
        parameters = inspect.signature(target).parameters.values()
    except (ValueError, TypeError):
        return {}
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {one.name: one.default for one in parameters if one.kind in kinds and one.name != "self"}
