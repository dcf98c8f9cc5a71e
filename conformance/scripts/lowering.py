"""A piece of code in the engine's own words: each verb replaced by the adapter's code for it.

A verb that is one expression, or one statement, takes the place of its call, arguments for parameters. Any other
becomes a function of the script, without `self`, together with what it calls.
"""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from conformance.scripts.folding import folded, is_static, static, without_defaults
from conformance.scripts.source import Method, Origin, Script
from conformance.scripts.trees import SCOPES, Underivable, bound_in, free_in, fresh

__all__ = ["VerbLowering"]


class NotInlinable(Exception):
    """The call stays a call; the verb becomes a function of the script."""


class VerbLowering(ast.NodeTransformer):
    """Rewrites a piece of code. `given` are expressions in the place of names, `known` are names of literals."""

    def __init__(self, script: Script, origin: Origin, given: dict[str, ast.expr] | None = None) -> None:
        self.script, self.origin, self.given = script, origin, given or {}
        self.known: dict[str, Any] = {}
        self.own: set[str] = set()  # the names of variables

    # What has no meaning when a program runs: annotations, docstrings, the engine as a parameter.

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.body = node.body[1:] if ast.get_docstring(node) else node.body
        outer, self.own = self.own, self.own | bound_in(node) if isinstance(node, SCOPES) else self.own
        node = super().generic_visit(node)
        self.own = outer
        return folded(node) if isinstance(node, ast.expr) else node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.args = [argument for argument in node.args if argument.arg not in self.origin.roots]
        return super().generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self.visit(ast.Assign([node.target], node.value)) if node.value else None

    def statements(self, statement: ast.stmt) -> list[ast.stmt]:
        """What a statement becomes."""
        done = self.visit(statement)
        return done if isinstance(done, list) else [done]

    # Names.

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.own:
            return node
        loaded, root = isinstance(node.ctx, ast.Load), self.origin.roots.get(node.id)
        if node.id in self.given:
            if not loaded:
                raise NotInlinable
            return fresh(self.given[node.id])
        if root is None:
            return fresh(self.script.global_name(self.origin, node.id, self.define)) if loaded else node
        if not isinstance(root, ModuleType):
            raise Underivable(f"the engine itself, as {node.id!r}, is used as a value")
        return self.script.dotted(root.__name__, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self.script.member(node, self.origin)
        if isinstance(found, Method):
            return self.function_of(found)
        return self.generic_visit(node) if found is None else found

    def define(self, origin: Origin, name: str, statement: ast.stmt) -> ast.Name:
        """The name of a function, class or value of a module, which comes along."""
        value, module = getattr(statement, "value", None), str(origin.namespace.get("__name__"))

        def make(name: str) -> ast.stmt:
            tree = fresh(statement) if value is None else ast.Assign([ast.Name(name, ast.Store())], fresh(value))
            vars(tree)["name"] = name
            return type(self)(self.script, origin).visit(tree)  # type: ignore[no-any-return]

        in_chapter = module.startswith(("conformance.chapters.", "chapter_"))
        return self.script.defined(name, (in_chapter, value is not None, module, statement.lineno, name), make)

    def function_of(self, method: Method) -> ast.Name:
        """The name of the function that a verb becomes."""
        function = method.definition()
        return VerbLowering(self.script, method.origin).define(method.origin, method.name.strip("_"), function)

    # Calls.

    def visit_Call(self, node: ast.Call) -> ast.AST:
        found = self.script.member(node.func, self.origin)
        node.args = [one for one in node.args if getattr(one, "id", "") not in self.origin.roots]
        if isinstance(found, Method):
            return self._inlined(found, self._visited(node)) or self._called(found, node)
        visited = self.generic_visit(node)
        return without_defaults(visited, self.script.array_type) if isinstance(visited, ast.Call) else visited

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
        done = self._inlined(found, self._visited(call), as_statement=True) or self._called(found, call)
        return ast.Expr(done) if isinstance(done, ast.expr) else done

    def _called(self, method: Method, call: ast.Call) -> ast.Call:
        return ast.Call(self.function_of(method), call.args, call.keywords)

    def _inlined(self, method: Method, call: ast.Call, as_statement: bool = False) -> Any:
        """The verb's code in the place of its call: an expression, a statement, or None where that differs."""
        try:
            if method.name.startswith("_") and (found := self._evaluated(method, call)):
                return found
            function = method.definition()
            inner = VerbLowering(self.script, method.origin, _bound(function, call))
            inner.known, inner.own = self.known, bound_in(ast.Module(function.body, [])) - inner.given.keys()
            return inner.straight(function.body, as_statement)
        except NotInlinable:
            return None

    def _evaluated(self, method: Method, call: ast.Call) -> ast.expr | None:
        """What a helper of the adapter makes of literals; None where it is given others."""
        try:
            args = [static(argument, self.known) for argument in call.args]
            keywords = {str(part.arg): static(part.value, self.known) for part in call.keywords}
        except (ValueError, TypeError):
            return None
        made = method.function(method.owner, *args, **keywords)
        found = self.script.value(made, method.name, method.owner)
        vars(found).update({"default": True} if made is None else {})
        return found

    def straight(self, body: list[ast.stmt], as_statement: bool) -> Any:
        """A body of assignments to names and one last statement, as that alone. Raises NotInlinable."""
        first, *rest = body
        target = getattr(first, "targets", [getattr(first, "target", None)])[0]
        value, last = getattr(first, "value", None), rest[0] if rest else first
        returned = getattr(last, "value", None) if isinstance(last, ast.Return) else None
        if returned is not None and (not rest or (isinstance(target, ast.Tuple) and _same(target, returned))):
            return self.visit(value or returned)
        if not rest or (as_statement and isinstance(returned, ast.Name)):
            if not as_statement or not isinstance(first, (ast.Assign, ast.AugAssign, ast.Delete, ast.Expr)):
                raise NotInlinable
            if not bound_in(ast.Module([first], [])):
                return self.visit(first)
        if not isinstance(first, (ast.Assign, ast.AnnAssign)) or not isinstance(target, ast.Name) or value is None:
            raise NotInlinable
        self.given[target.id] = self.visit(value)
        if not _timeless(self.given[target.id]) and _uses(target.id, rest) != 1:
            raise NotInlinable
        self.own.discard(target.id)
        return self.straight(rest, as_statement)


def _same(target: ast.expr, value: ast.expr) -> bool:
    """Whether a tuple was only taken apart to be put together again."""
    return ast.unparse(target) == ast.unparse(value)


def _bound(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr]:
    """Parameter to argument. Raises NotInlinable where only the call itself can tell, or where it would mean another.

    An argument that does something is to be evaluated once, and with the call; no name may hide another.
    """
    given, places = function.args, [argument.arg for argument in function.args.args]
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    if given.kwarg or spread or (len(call.args) > len(places) and not given.vararg):
        raise NotInlinable
    bound: dict[str, ast.expr] = dict(zip(places, call.args, strict=False))
    if given.vararg:
        bound[given.vararg.arg] = ast.Tuple(call.args[len(places) :], ast.Load())
    bound |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    defaults = [*zip(places[::-1], given.defaults[::-1], strict=False)]
    defaults += [(one.arg, node) for one, node in zip(given.kwonlyargs, given.kw_defaults, strict=True) if node]
    for name, default in defaults:
        if name not in bound:
            bound[name] = fresh(default)
            vars(bound[name])["default"] = True
    if any(isinstance(node, (ast.IfExp, ast.BoolOp)) for node in ast.walk(function)):
        raise NotInlinable
    scopes = [node for node in ast.walk(function) if isinstance(node, SCOPES)][1:]
    own = {name for scope in scopes for name in bound_in(scope)}
    if bound.keys() != {one.arg for one in ast.walk(given) if isinstance(one, ast.arg)}:
        raise NotInlinable
    for name, node in bound.items():
        if own & {*free_in(node)} or not (_timeless(node) or (_uses(name, function.body) == 1 and not scopes)):
            raise NotInlinable
    return bound


def _uses(name: str, body: list[ast.stmt]) -> int:
    nodes = (node for statement in body for node in ast.walk(statement))
    return sum(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _timeless(node: ast.expr) -> bool:
    """Whether it does not matter when, and how often, an expression is evaluated."""
    return isinstance(node, (ast.Name, ast.Lambda)) or is_static(node)
