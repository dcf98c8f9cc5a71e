"""What an expression comes to when parts of it are literals, and arguments that only repeat the callee's defaults."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from conformance.scripts.trees import fresh

__all__ = ["folded", "is_default", "is_static", "literal", "static", "target_of", "without_defaults"]


def literal(value: Any) -> ast.expr | None:
    """The expression that makes a value of Python's own; None if there is none."""
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        parts = [part for part in map(literal, value) if part is not None]
        kind = ast.List if isinstance(value, list) else ast.Tuple
        return kind(parts, ast.Load()) if len(parts) == len(value) else None
    if type(value) in (float, complex) and not abs(value) < float("inf"):
        return ast.parse(f"{type(value).__name__}({str(value)!r})", mode="eval").body
    if type(value) in (type(None), type(...), bool, int, str, bytes, float, complex, dict):
        return ast.parse(repr(value), mode="eval").body
    return None


def static(node: ast.expr, known: Mapping[str, ast.expr] | None = None) -> Any:
    """The value of a literal, in which names may be `known` to be literals. Raises ValueError for anything else."""
    return ast.literal_eval(_Known(known or {}).visit(fresh(node)))


class _Known(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return fresh(self.known.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Numbers that are not finite have no literal: `float("nan")`."""
        made = {"float": float, "complex": complex}.get(getattr(node.func, "id", ""))
        plain = len(node.args) == 1 and isinstance(node.args[0], ast.Constant)
        return ast.Constant(made(node.args[0].value)) if made and plain else node  # type: ignore[attr-defined]


def is_static(node: ast.expr) -> bool:
    """Whether an expression is a literal."""
    try:
        static(node)
    except (ValueError, TypeError):
        return False
    return True


def folded(node: ast.expr) -> ast.expr:
    """The same expression, one step simpler where its parts are literals; those are to be folded before."""
    if isinstance(node, ast.IfExp):
        truth = _truth(node.test)
        return node if truth is None else node.body if truth else node.orelse
    if isinstance(node, ast.BoolOp) and (truth := _truth(node.values[0])) is not None:
        if truth != isinstance(node.op, ast.And):
            return node.values[0]
        return node.values[1] if len(node.values) == 2 else ast.BoolOp(node.op, node.values[1:])
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        if all(isinstance(part, ast.Constant) for part in parts):
            return ast.Constant("".join(str(part.value) for part in parts if isinstance(part, ast.Constant)))
    return _called(node) if isinstance(node, ast.Call) else node


def _truth(test: ast.expr) -> bool | None:
    """Whether a test holds, if that can be told: of literals, and of whether an argument was given."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        value, other = test.left, test.comparators[0]
        if ast.unparse(other) == "None" and (isinstance(value, ast.Lambda) or is_static(value)):
            return (ast.unparse(value) == "None") == isinstance(test.ops[0], ast.Is)
    return bool(static(test)) if is_static(test) else None


def _called(node: ast.Call) -> ast.expr:
    node.args = [part for argument in node.args for part in _spread(argument)]
    node.keywords = [part for keyword in node.keywords for part in _spread_keyword(keyword)]
    if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2:
        name = node.args[1]
        if isinstance(name, ast.Constant) and str(name.value).isidentifier():
            return ast.Attribute(node.args[0], str(name.value), ast.Load())
    return node


def _spread(argument: ast.expr) -> list[ast.expr]:
    inner = argument.value if isinstance(argument, ast.Starred) else None
    return inner.elts if isinstance(inner, (ast.Tuple, ast.List)) else [argument]


def _spread_keyword(keyword: ast.keyword) -> list[ast.keyword]:
    given = keyword.value
    if keyword.arg is not None or not isinstance(given, ast.Dict):
        return [keyword]
    if not all(isinstance(key, ast.Constant) for key in given.keys):
        return [keyword]
    return [ast.keyword(str(key.value), value) for key, value in zip(given.keys, given.values)]  # type: ignore


def target_of(node: ast.expr, array_type: Any) -> Any:
    """The live object that an expression names: something of a module, or a method of arrays; None if neither."""
    if isinstance(node, ast.Name):
        return vars(node).get("object")
    if not isinstance(node, ast.Attribute):
        return None
    owner = target_of(node.value, array_type)
    if owner is None:
        return getattr(array_type, node.attr, None) if not isinstance(node.value, ast.Attribute) else None
    return getattr(owner, node.attr, None) if isinstance(owner, (ModuleType, type)) else None


def without_defaults(call: ast.Call, array_type: Any) -> ast.Call:
    """The call without the arguments that the verb passed by default, where they are the callee's own defaults.

    What stands behind such an argument is given by keyword.
    """
    if isinstance(call.func, ast.Name) and "object" not in vars(call.func):
        return call  # a function of the script
    defaults, names = _signature(target_of(call.func, array_type))
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    call.keywords = [part for part in call.keywords if not _repeats(part.value, defaults, part.arg or "")]
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return call
    pairs = list(itertools.zip_longest(call.args, names[: len(call.args)], fillvalue=""))
    repeated = [_repeats(node, defaults, name) for node, name in pairs]
    first = repeated.index(True) if True in repeated else len(pairs)
    kept = [(node, name) for (node, name), again in zip(pairs[first:], repeated[first:], strict=True) if not again]
    if all(name for _, name in kept):
        call.args = call.args[:first]
        call.keywords = [ast.keyword(name, node) for node, name in kept] + call.keywords
    return call


def is_default(node: ast.AST) -> bool:
    """Whether a node is an argument that the check did not give."""
    return bool(vars(node).get("default"))


def _repeats(node: ast.expr, defaults: Mapping[str, Any], name: str) -> bool:
    """Whether an argument says what goes without saying. Native functions tell no defaults: None is taken for one."""
    if not is_default(node) or not is_static(node):
        return False
    value = static(node)
    if not defaults:
        return value is None
    return name in defaults and type(value) is type(defaults[name]) and bool(value == defaults[name])


def _signature(target: Any) -> tuple[Mapping[str, Any], list[str]]:
    """The defaults of a callee by name, and the names of the arguments that go by place; "" where only by place."""
    try:
        return _cached_signature(target)
    except TypeError:  # what cannot be hashed is no function
        return {}, []


@cache
def _cached_signature(target: Any) -> tuple[Mapping[str, Any], list[str]]:
    try:
        parameters = inspect.signature(target).parameters.values() if target is not None else ()
    except (ValueError, TypeError):
        return {}, []
    by_place = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    names = ["" if one.kind is one.POSITIONAL_ONLY else one.name for one in by_place]
    return {one.name: one.default for one in parameters}, names
