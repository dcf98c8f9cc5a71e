"""A piece of code in the engine's own words: each verb replaced by the adapter's code for it.

A verb that is one expression, or one statement, takes the place of its call, arguments for parameters. Any other
becomes a function of the script, without `self`, together with what it calls.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from conformance.scripts.folding import folded, is_static, static, without_defaults
from conformance.scripts.source import Method, Origin, Script
from conformance.scripts.trees import SCOPES, Underivable, bound_in, free_in, fresh, inserted, without_docstring

__all__ = ["Lowering"]

_slots = itertools.count()


class NotInlinable(Exception):
    """The call stays a call; the verb becomes a function of the script."""


class Lowering(ast.NodeTransformer):
    """Rewrites a piece of code. `given` are expressions in the place of names, `known` are names of literals."""

    def __init__(self, script: Script, origin: Origin, given: dict[str, ast.expr] | None = None) -> None:
        self.script, self.origin, self.given = script, origin, given or {}
        self.known: dict[str, ast.expr] = {}
        self.scopes: list[set[str]] = []

    # Scopes, and what has no meaning when a program runs: annotations, docstrings, the engine as a parameter.

    def generic_visit(self, node: ast.AST) -> ast.AST:
        scope = isinstance(node, SCOPES)
        if isinstance(node, ast.FunctionDef):
            node.returns, node.body = None, without_docstring(node.body) or [ast.Pass()]
        if scope:
            self.scopes.append(bound_in(node))
        node = super().generic_visit(node)
        if scope:
            self.scopes.pop()
        return folded(node) if isinstance(node, ast.expr) else node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.args = [argument for argument in node.args if argument.arg not in self.origin.roots]
        return super().generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self.visit(ast.Assign([node.target], node.value)) if node.value else ast.Pass()

    # Names.

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if any(node.id in scope for scope in self.scopes):
            return node
        if node.id in self.given:
            if not isinstance(node.ctx, ast.Load):
                raise NotInlinable
            return fresh(self.given[node.id])
        if not isinstance(node.ctx, ast.Load):
            return node
        root = self.origin.roots.get(node.id)
        if root is None:
            return fresh(self.script.global_name(self.origin, node.id, self.define))
        if root is self.script.adapter or not isinstance(root, type(ast)):
            raise Underivable(f"the engine itself, as {node.id!r}, is used as a value")
        return self.script.module(root, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self.script.member(node, self.origin)
        if isinstance(found, Method):
            return self._as_value(found)
        return self.generic_visit(node) if found is None else found

    def define(self, origin: Origin, name: str, statement: ast.stmt) -> ast.Name:
        """The name of a function, class or value of a module, which comes along."""
        return self._define(origin, name, statement)

    def _define(self, origin: Origin, name: str, statement: ast.stmt) -> ast.Name:

        def make(name: str) -> ast.stmt:
            tree = fresh(statement)
            if isinstance(tree, (ast.FunctionDef, ast.ClassDef)):
                tree.name = name
            else:
                tree = ast.Assign([ast.Name(name, ast.Store())], getattr(tree, "value"))  # noqa: B009
            return type(self)(self.script, origin).visit(tree)  # type: ignore[no-any-return]

        module = str(origin.namespace.get("__name__"))
        value = not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        place = (origin.is_chapter, value, module, statement.lineno)
        return self.script.defined((module, name), name, place, make)

    # Calls.

    def visit_Call(self, node: ast.Call) -> ast.AST:
        found = self.script.member(node.func, self.origin)
        roots = self.origin.roots
        node.args = [one for one in node.args if not (isinstance(one, ast.Name) and one.id in roots)]
        if not isinstance(found, Method):
            visited = self.generic_visit(node)
            return self._tidied(visited) if isinstance(visited, ast.Call) else visited
        return self._inlined(found, self._visited(node)) or self._called(found, node)

    def _tidied(self, call: ast.Call) -> ast.expr:
        return without_defaults(call, self.script.array_type)

    def _visited(self, node: ast.Call) -> ast.Call:
        func, node.func = node.func, ast.Constant(None)
        self.generic_visit(node)
        node.func = func
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A verb that is called for what it does may be replaced by a statement."""
        call = node.value
        found = self.script.member(call.func, self.origin) if isinstance(call, ast.Call) else None
        if not isinstance(found, Method) or not isinstance(call, ast.Call):
            return self.generic_visit(node)
        call = self._visited(call)
        done = self._inlined(found, call, as_statement=True) or self._called(found, call)
        return ast.Expr(done) if isinstance(done, ast.expr) else done

    def _inlined(self, method: Method, call: ast.Call, as_statement: bool = False) -> Any:
        """The verb's code in the place of its call: an expression, a statement, or None where that differs."""
        try:
            if method.name.startswith("_") and (found := self._evaluated(method, call)):
                return found
            function = method.definition()
            bound = _bound(function.args, call)
            inner = Lowering(self.script, method.origin, dict(bound))
            inner.known, inner.scopes = self.known, [bound_in(ast.Module(function.body, [])) - set(bound)]
            done = inner.straight(without_docstring(function.body), as_statement)
            _check_meaning(done, inner.given)
        except NotInlinable:
            return None
        return done

    def _evaluated(self, method: Method, call: ast.Call) -> ast.expr | None:
        """What a helper of the adapter makes of literals; None where it is given others."""
        try:
            args = [static(argument, self.known) for argument in call.args]
            keywords = {str(part.arg): static(part.value, self.known) for part in call.keywords}
        except (ValueError, TypeError):
            return None
        found = self.script.value(method.function(method.owner, *args, **keywords), method.name, method.owner)
        vars(found)["default"] = True
        return found

    def straight(self, body: list[ast.stmt], as_statement: bool) -> ast.expr | ast.stmt:
        """A body of assignments to names and one last statement, as that alone. Raises NotInlinable."""
        *first, last = body
        if isinstance(last, ast.Return) and len(first) == 1 and isinstance(first[0], (ast.Assign, ast.AnnAssign)):
            target = getattr(first[0], "targets", [getattr(first[0], "target", None)])[0]
            if isinstance(target, ast.Tuple) and ast.unparse(target) == ast.unparse(last.value or target):
                first, last = [], ast.Return(first[0].value)
        for statement in first:
            target = getattr(statement, "targets", [getattr(statement, "target", None)])[0]
            if not isinstance(target, ast.Name) or not isinstance(statement, (ast.Assign, ast.AnnAssign)):
                if as_statement and statement is first[-1] and isinstance(getattr(last, "value", None), ast.Name):
                    return self._alone(statement)
                raise NotInlinable
            slot = next(_slots)
            self.given[target.id] = _marked(self.visit(statement.value or ast.Constant(None)), slot)
            self.scopes[-1].discard(target.id)
        if isinstance(last, ast.Return) and last.value:
            return self.visit(last.value)  # type: ignore[no-any-return]
        if not as_statement:
            raise NotInlinable
        return self._alone(last)

    def _alone(self, statement: ast.stmt) -> ast.stmt:
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Delete, ast.Expr)):
            raise NotInlinable
        if {name for name in bound_in(ast.Module([statement], []))}:
            raise NotInlinable
        return self.visit(statement)  # type: ignore[no-any-return]

    def _called(self, method: Method, call: ast.Call) -> ast.Call:
        return ast.Call(self.function_of(method), call.args, call.keywords)

    def function_of(self, method: Method) -> ast.Name:
        """The name of the function that a verb becomes."""

        def make(name: str) -> ast.stmt:
            function = method.definition()
            function.name = name
            return Lowering(self.script, method.origin).visit(function)  # type: ignore[no-any-return]

        code = method.function.__code__
        place = (False, False, method.function.__module__, code.co_firstlineno)
        return self.script.defined((method.function, type(method.owner)), method.name.strip("_"), place, make)

    def _as_value(self, method: Method) -> ast.expr:
        """A verb that is handed on: the engine's own function where the verb is no more than that."""
        given = method.definition().args
        names: list[ast.expr] = [ast.Name(one.arg, ast.Load()) for one in given.args]
        if not given.vararg and not given.defaults and not given.kwonlyargs:
            done = self._inlined(method, ast.Call(ast.Name("called", ast.Load()), names, []))
            if isinstance(done, ast.Call) and not done.keywords and [*map(ast.unparse, done.args)] == [
                *map(ast.unparse, names)
            ]:
                if not {*free_in(done.func)} & {*map(ast.unparse, names)}:
                    return done.func
        return self.function_of(method)


def _bound(given: ast.arguments, call: ast.Call) -> dict[str, ast.expr]:
    """Parameter to argument. Raises NotInlinable where only the call itself can tell."""
    if given.kwarg or any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotInlinable
    places = [argument.arg for argument in given.args]
    bound: dict[str, ast.expr] = dict(zip(places, call.args, strict=False))
    if given.vararg:
        parts = [_marked(node, next(_slots)) for node in call.args[len(places) :]]
        bound[given.vararg.arg] = ast.Tuple(parts, ast.Load())
    elif len(call.args) > len(places):
        raise NotInlinable
    bound |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    defaults = dict(zip(places[::-1], given.defaults[::-1], strict=False))
    defaults |= {one.arg: node for one, node in zip(given.kwonlyargs, given.kw_defaults, strict=True) if node}
    for name in defaults.keys() - bound.keys():
        bound[name] = fresh(defaults[name])
        vars(bound[name])["default"] = True
    names = {*places, *(one.arg for one in given.kwonlyargs), *([given.vararg.arg] if given.vararg else [])}
    if set(bound) != names:
        raise NotInlinable
    return {name: _marked(node, next(_slots)) for name, node in bound.items()}


def _marked(node: ast.expr, slot: int) -> ast.expr:
    """A copy that is known again after it was put into other code."""
    node = fresh(node)
    vars(node)["slots"] = (*vars(node).get("slots", ()), slot)
    return node


def _check_meaning(body: ast.AST, bound: dict[str, ast.expr]) -> None:
    """Raises NotInlinable unless each argument that does something is evaluated once, and no name hides another."""
    nodes = list(_with_depth(body))
    for argument in bound.values():
        uses = _uses(argument, nodes)
        spread = argument.elts if isinstance(argument, ast.Tuple) and not uses else []
        if not _timeless(argument) and uses != [False]:
            if not spread or any(_uses(part, nodes) != [False] for part in spread):
                raise NotInlinable
    scopes = (node for node, _ in nodes if isinstance(node, SCOPES) and "slots" not in vars(node))
    own = {name for scope in scopes for name in bound_in(scope)}
    if own & {name for argument in bound.values() for name in free_in(argument)}:
        raise NotInlinable


def _uses(argument: ast.expr, nodes: list[tuple[ast.AST, bool]]) -> list[bool]:
    """Of each place where an argument stands in other code, whether it is evaluated later there."""
    slot = vars(argument).get("slots", (None,))[-1]
    return [later for node, later in nodes if slot in vars(node).get("slots", ())]


def _with_depth(node: ast.AST, later: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and whether each is evaluated later than its surroundings, or perhaps not at all."""
    yield node, later
    for child in ast.iter_child_nodes(node):
        yield from _with_depth(child, later or isinstance(node, (*SCOPES, ast.IfExp, ast.BoolOp)))


def _timeless(node: ast.AST) -> bool:
    """Whether it does not matter when, and how often, an expression is evaluated."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Dict)):
        return all(_timeless(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
    while isinstance(node, ast.Attribute):
        node = node.value
        if isinstance(node, ast.Name) and "object" not in vars(node):
            return False
    return isinstance(node, (ast.Name, ast.Lambda)) or is_static(node)  # type: ignore[arg-type]
