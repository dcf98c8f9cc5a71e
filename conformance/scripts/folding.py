"""What an expression comes to when parts of it are literals."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from conformance.scripts.trees import Filled

__all__ = ["folded", "is_static", "literal", "static"]


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
    return ast.literal_eval(_Known(known or {}).visit(node))


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
