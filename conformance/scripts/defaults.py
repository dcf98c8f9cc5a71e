"""Arguments that only repeat what the callee does by itself, and that nobody would write."""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from functools import cache
from typing import Any

from conformance.scripts.folding import is_literal, literal, value_of
from conformance.scripts.inlining import is_default, keyword_of

__all__ = ["stands_for", "without_defaults"]

# Native functions say their signature in the first line of their docstring.
_FIRST_LINE = re.compile(r"\w+(\(.*\)) *(->.*)?")


def stands_for(node: ast.expr) -> Any:
    """The object that a chain of names leads to, from a module; None where it leads nowhere, or from a value."""
    if isinstance(node, ast.Attribute):
        owner = stands_for(node.value)
        return None if owner is None else getattr(owner, node.attr, None)
    return vars(node).get("stands_for")


def without_defaults(call: ast.Call, array_type: Any) -> ast.Call:
    """The call, without the arguments that the verb passed by default and that are the callee's own defaults.

    What was given by keyword in the check is given by keyword again, where the callee knows that name.
    """
    callee = stands_for(call.func)
    method = callee is None and isinstance(call.func, ast.Attribute)
    if method:
        callee = getattr(array_type, call.func.attr, None)  # type: ignore[attr-defined]
    signature = None if callee is None else _signature(callee, method)
    if signature is not None:
        call.keywords = [keyword for keyword in call.keywords if not _repeats(keyword, signature)]
        _shorten(call, list(signature.parameters.values()))
    return call


def _repeats(keyword: ast.keyword, signature: inspect.Signature) -> bool:
    parameter = signature.parameters.get(keyword.arg or "")
    return parameter is not None and _is_default_of(keyword.value, parameter)


def _is_default_of(node: ast.expr, parameter: inspect.Parameter) -> bool:
    if not is_default(node) or not is_literal(node):
        return False
    value, default = value_of(node), parameter.default
    return type(value) is type(default) and bool(value == default)


def _shorten(call: ast.Call, parameters: list[inspect.Parameter]) -> None:
    """Drop arguments at the end that are defaults; then give by keyword what was given so, and stands behind a gap."""
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(call.args) > len(places) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    pairs = list(zip(call.args, places, strict=False))
    named = [(node, p) for node, p in pairs if _is_default_of(node, p) or keyword_of(node) == p.name]
    if named != pairs[len(pairs) - len(named) :] or any(p.kind is p.POSITIONAL_ONLY for _, p in named):
        named = _trailing_defaults(pairs)
    kept = [ast.keyword(p.name, node) for node, p in named if not _is_default_of(node, p)]
    call.args = call.args[: len(call.args) - len(named)]
    call.keywords = kept + call.keywords


def _trailing_defaults(pairs: list[tuple[ast.expr, Any]]) -> list[tuple[ast.expr, Any]]:
    count = 0
    while count < len(pairs) and _is_default_of(*pairs[len(pairs) - 1 - count]):
        count += 1
    return pairs[len(pairs) - count :]


def _signature(callee: Any, method: bool) -> inspect.Signature | None:
    """The callee's signature, without the value that a method is called on; None where nobody says it."""
    try:
        found = _cached(callee)
    except TypeError:  # what cannot be hashed is no function
        return None
    if found is None or not method or "self" not in found.parameters:
        return found
    return found.replace(parameters=list(found.parameters.values())[1:])


@cache
def _cached(callee: Any) -> inspect.Signature | None:
    with contextlib.suppress(ValueError, TypeError):
        return inspect.signature(callee)
    line = (getattr(callee, "__doc__", None) or "").strip().partition("\n")[0]
    said = _FIRST_LINE.fullmatch(line.strip())
    return _read(said[1]) if said else None


def _read(text: str) -> inspect.Signature | None:
    """A signature from its text, so far as its defaults are literals."""
    try:
        tree = ast.parse(f"def f{text}: ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(tree, ast.FunctionDef)
    given, kind = tree.args, inspect.Parameter.POSITIONAL_OR_KEYWORD
    gap = len(given.args) - len(given.defaults)
    defaults = [None] * gap + list(given.defaults)
    parameters = [_parameter(a.arg, kind, d) for a, d in zip(given.args, defaults, strict=True)]
    only = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    parameters += [_parameter(a.arg, inspect.Parameter.KEYWORD_ONLY, d) for a, d in only]
    return inspect.Signature(parameters)


def _parameter(name: str, kind: Any, default: ast.expr | None) -> inspect.Parameter:
    if default is None:
        return inspect.Parameter(name, kind)
    return inspect.Parameter(name, kind, default=value_of(default) if is_literal(default) else literal)
