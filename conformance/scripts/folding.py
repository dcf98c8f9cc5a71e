"""What an expression comes to when parts of it are literals: choices, names of attributes, unpacked arguments."""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["folded", "is_literal", "literal", "value_of"]


def literal(value: Any) -> ast.expr | None:
    """The expression that makes a value of Python's own, or None if it has none."""
    if value is None or isinstance(value, (bool, int, str, bytes)) or value is ...:
        return ast.parse(repr(value), mode="eval").body
    if isinstance(value, (float, complex)):
        return _number(value)
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        parts = [literal(part) for part in value]
        kind = ast.List if isinstance(value, list) else ast.Tuple
        return None if None in parts else kind([part for part in parts if part], ast.Load())
    if isinstance(value, dict):
        keys, values = [literal(key) for key in value], [literal(part) for part in value.values()]
        return None if None in keys + values else ast.Dict(list(keys), [part for part in values if part])
    return None


def _number(value: float | complex) -> ast.expr:
    """A number; one that is not finite has no literal, and is asked of `float` or `complex`."""
    if value == value and abs(value) != float("inf"):
        return ast.parse(repr(value), mode="eval").body
    return ast.parse(f"{type(value).__name__}({str(value)!r})", mode="eval").body


def value_of(node: ast.expr) -> Any:
    """The value of a literal. Raises ValueError for what is none."""
    return ast.literal_eval(node)


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal."""
    try:
        value_of(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def folded(node: ast.expr) -> ast.expr:
    """The same expression, one step simpler where its parts allow; they are to be folded before."""
    if isinstance(node, ast.IfExp):
        truth = _truth(node.test)
        return node if truth is None else node.body if truth else node.orelse
    if isinstance(node, ast.BoolOp):
        return _short_cut(node)
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    return _called(node) if isinstance(node, ast.Call) else node


def _truth(test: ast.expr) -> bool | None:
    """Whether a test holds, if that can be told."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        other = test.comparators[0]
        if not (isinstance(other, ast.Constant) and other.value is None):
            return None
        nothing = _is_none(test.left)
        return None if nothing is None else nothing == isinstance(test.ops[0], ast.Is)
    return bool(value_of(test)) if is_literal(test) else None


def _is_none(node: ast.expr) -> bool | None:
    if isinstance(node, ast.Constant):
        return node.value is None
    return False if isinstance(node, ast.Lambda) or is_literal(node) else None


def _short_cut(node: ast.BoolOp) -> ast.expr:
    first, *rest = node.values
    truth = _truth(first)
    if truth is None:
        return node
    if truth != isinstance(node.op, ast.And):
        return first
    return rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _joined(node: ast.JoinedStr) -> ast.expr:
    parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    if all(isinstance(part, ast.Constant) for part in parts):
        return ast.Constant("".join(str(part.value) for part in parts if isinstance(part, ast.Constant)))
    return node


def _called(node: ast.Call) -> ast.expr:
    node.args = [part for argument in node.args for part in _unpacked(argument)]
    node.keywords = [part for keyword in node.keywords for part in _spread(keyword)]
    named = isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2
    if named and isinstance(node.args[1], ast.Constant) and str(node.args[1].value).isidentifier():
        return ast.Attribute(node.args[0], str(node.args[1].value), ast.Load())
    return node


def _unpacked(argument: ast.expr) -> list[ast.expr]:
    if isinstance(argument, ast.Starred) and isinstance(argument.value, (ast.Tuple, ast.List)):
        return argument.value.elts
    return [argument]


def _spread(keyword: ast.keyword) -> list[ast.keyword]:
    given = keyword.value
    if keyword.arg is not None or not isinstance(given, ast.Dict):
        return [keyword]
    names = [key.value if isinstance(key, ast.Constant) else None for key in given.keys]
    if not all(isinstance(name, str) for name in names):
        return [keyword]
    return [ast.keyword(str(name), value) for name, value in zip(names, given.values, strict=True)]
