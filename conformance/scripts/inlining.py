"""A verb's body in the place of its call: arguments for parameters, and when that means the same.

A node that stands for an argument is marked with the slot that it fills, and whether the call gave it or the verb's own
default did; marks stay with copies.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from conformance.scripts.folding import folded, is_literal
from conformance.scripts.trees import SCOPES, bound_in, free_in, fresh

__all__ = ["NotInlinable", "bound_arguments", "is_default", "keyword_of", "straightened", "verified"]

_calls = itertools.count()


class NotInlinable(Exception):
    """The call stays a call; the verb becomes a function of the script."""


def marked(node: ast.expr, slot: str, **marks: Any) -> ast.expr:
    """A copy of the node that fills a slot, among others perhaps, with marks."""
    node = fresh(node)
    vars(node).update(marks, slots=(*slots_of(node), slot))
    return node


def slots_of(node: ast.AST) -> tuple[str, ...]:
    """The slots that a node fills."""
    return tuple(vars(node).get("slots", ()))


def is_default(node: ast.AST) -> bool:
    """Whether a node stands for an argument that the call did not give."""
    return bool(vars(node).get("default"))


def keyword_of(node: ast.AST) -> str:
    """The name by which the call gave the argument; empty if by its place."""
    return str(vars(node).get("keyword", ""))


def bound_arguments(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr]:
    """Parameter to argument, without `self`. Raises NotInlinable where only the call itself can tell."""
    given, slot = function.args, f"{next(_calls)}"
    if given.kwarg or any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotInlinable
    places = [argument.arg for argument in given.args[1:]]
    bound = {name: marked(node, f"{slot}.{name}") for name, node in zip(places, call.args, strict=False)}
    rest = call.args[len(places) :]
    if given.vararg:
        parts = [marked(node, f"{slot}.{n}") for n, node in enumerate(rest)]
        bound[given.vararg.arg] = ast.Tuple(parts, ast.Load())
    elif rest:
        raise NotInlinable
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in bound:
            raise NotInlinable
        bound[keyword.arg] = marked(keyword.value, f"{slot}.{keyword.arg}", keyword=keyword.arg)
    for name, default in _defaults(given):
        bound.setdefault(name, marked(default, f"{slot}.{name}", default=True))
    if set(bound) != {*places, *(a.arg for a in given.kwonlyargs), *((given.vararg.arg,) if given.vararg else ())}:
        raise NotInlinable
    return bound


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    last = given.args[len(given.args) - len(given.defaults) :]
    for argument, default in zip(last, given.defaults, strict=True):
        yield argument.arg, default
    for argument, wanted in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if wanted is not None:
            yield argument.arg, wanted


def straightened(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, with each name that is made only to be used once replaced by what it stands for."""
    while len(body) > 1 and (shorter := _without_first(body)) is not None:
        body = shorter
    return body


def _without_first(body: list[ast.stmt]) -> list[ast.stmt] | None:
    first, *rest = body
    if not isinstance(first, ast.Assign) or len(first.targets) != 1:
        return None
    target, last = first.targets[0], rest[0]
    if len(rest) == 1 and isinstance(last, ast.Return) and last.value and _same_names(target, last.value):
        return [ast.Return(first.value)]
    if not isinstance(target, ast.Name):
        return None
    uses = [(node, deep) for part in rest for node, deep in _with_depth(part) if _is_name(node, target.id)]
    stores = [node for node, _ in uses if not isinstance(getattr(node, "ctx", None), ast.Load)]
    if stores or len(uses) != 1 or (uses[0][1] and not _timeless(first.value)):
        return None
    return [_Put({target.id: first.value}).visit(part) for part in rest]


def _same_names(target: ast.expr, value: ast.expr) -> bool:
    """Whether a tuple was only taken apart to be put together again."""
    plain = isinstance(target, ast.Tuple) and all(isinstance(part, ast.Name) for part in target.elts)
    return plain and ast.unparse(target) == ast.unparse(value)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class _Put(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        return folded(node) if isinstance(node, ast.expr) else node


def _with_depth(node: ast.AST, deep: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and whether each is evaluated at another time than its surroundings, or perhaps not at all."""
    yield node, deep
    later = deep or isinstance(node, (*SCOPES, ast.IfExp, ast.BoolOp))
    for child in ast.iter_child_nodes(node):
        yield from _with_depth(child, later)


def verified(body: list[ast.stmt], bound: dict[str, ast.expr]) -> None:
    """Whether the body means what the call meant. Raises NotInlinable where it may not.

    An argument that does something is evaluated once, and then; no name of the body's own hides one of an argument.
    """
    given = [part for argument in bound.values() for part in _parts(argument)]
    nodes = [pair for part in body for pair in _with_depth(part)]
    for argument in given:
        uses = [deep for node, deep in nodes if slots_of(argument)[-1] in slots_of(node)]
        if not _timeless(argument) and uses != [False]:
            raise NotInlinable
    scopes = (node for node, _ in nodes if isinstance(node, SCOPES) and not slots_of(node))
    own = {name for scope in scopes for name in bound_in(scope)}
    if own & {name for argument in given for name in free_in(argument)}:
        raise NotInlinable


def _parts(argument: ast.expr) -> list[ast.expr]:
    """An argument; or each of those that stand in one parameter together."""
    return [argument] if slots_of(argument) else list(getattr(argument, "elts", []))


def _timeless(node: ast.expr) -> bool:
    """Whether it does not matter when, and how often, an expression is evaluated."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_timeless(part) for part in node.elts)
    if isinstance(node, ast.Dict):
        return all(_timeless(part) for part in (*(key for key in node.keys if key), *node.values))
    named = isinstance(node, ast.Attribute) and "stands_for" in vars(_root(node))
    return named or isinstance(node, (ast.Name, ast.Lambda)) or is_literal(node)


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node
