"""A piece of code in the engine's own words: each verb replaced by the adapter's code for it.

A verb that is one expression, or one statement, takes the place of its call, arguments for parameters. Any other
becomes a function of the script, without `self`, together with what it calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.scripts import naming
from conformance.scripts.defaults import without_defaults
from conformance.scripts.folding import folded, is_literal, value_of
from conformance.scripts.inlining import NotInlinable, bound_arguments, straightened, verified
from conformance.scripts.members import Lacking, Method, member, nothing
from conformance.scripts.parts import Origin, Parts
from conformance.scripts.trees import Underivable, bound_in, fresh, inserted

__all__ = ["Lowering", "without_docstring"]

# The statements that may stand in the place of a call.
STATEMENTS = (ast.Assign, ast.AugAssign, ast.Delete, ast.Expr)


class Lowering(ast.NodeTransformer):
    """Rewrites a piece of code; `given` are expressions that stand for parameters."""

    def __init__(self, parts: Parts, origin: Origin, given: dict[str, ast.expr] | None = None) -> None:
        self.parts, self.origin, self.given = parts, origin, given or {}
        self.scopes: list[set[str]] = []

    def code(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, rewritten."""
        lowered = (self.visit(statement) for statement in body)
        return [part for one in lowered for part in (one if isinstance(one, list) else [one])]

    # Scopes, and what has no meaning when a program runs.

    @contextmanager
    def _within(self, node: ast.AST) -> Iterator[None]:
        self.scopes.append(bound_in(node))
        yield
        self.scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.returns = None
        self._parameters(node.args)
        with self._within(node):
            node.body = self.code(without_docstring(node.body)) or [ast.Pass()]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._parameters(node.args)
        with self._within(node):
            node.body = self.visit(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        with self._within(node):
            self.generic_visit(node)
        return node

    def _parameters(self, given: ast.arguments) -> None:
        """Without annotations, and without the engine as a parameter: a script speaks to one."""
        given.args = [argument for argument in given.args if argument.arg not in self.origin.roots]
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        for argument in every:
            if argument is not None:
                argument.annotation = None
        given.defaults = [self.visit(default) for default in given.defaults]
        given.kw_defaults = [default and self.visit(default) for default in given.kw_defaults]

    def _comprehension(self, node: ast.expr) -> ast.expr:
        with self._within(node):
            self.generic_visit(node)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.Assign([node.target], node.value))  # type: ignore[no-any-return]

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
        if node.id in self.origin.roots:
            raise Underivable(f"the engine itself, as {node.id!r}, is used as a value")
        return naming.of_name(self.parts, self.origin, node.id, self.define)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        found = self._member(node)
        if isinstance(found, Method):
            return self._as_value(found)
        if found is not None:
            return naming.of_value(self.parts, found.value, found.name, found.owner)
        self.generic_visit(node)
        return node

    def _member(self, node: ast.expr) -> Any:
        """What the attribute of an engine or adapter is; None for the attribute of anything else."""
        try:
            return member(node, self.origin, self.parts.adapter)
        except Lacking:
            if not self.parts.was_run:
                raise
            return nothing()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        return folded(node) if isinstance(node, ast.expr) else node

    # Calls.

    def visit_Call(self, node: ast.Call) -> ast.expr:
        found = self._member(node.func)
        node.args = [argument for argument in node.args if not self._is_root(argument)]
        if isinstance(found, Method):
            lowered = self._call(found, self._visited(node))
            return lowered if isinstance(lowered, ast.expr) else self._called(found, node)
        self.generic_visit(node)
        return self._tidied(node)

    def _is_root(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.origin.roots

    def _tidied(self, node: ast.Call) -> ast.expr:
        simpler = folded(node)
        return without_defaults(simpler, self.parts.array_type) if isinstance(simpler, ast.Call) else simpler

    def _visited(self, node: ast.Call) -> ast.Call:
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        simpler = folded(ast.Call(ast.Name("called", ast.Load()), node.args, node.keywords))
        assert isinstance(simpler, ast.Call)
        node.args, node.keywords = simpler.args, simpler.keywords
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """A verb that is called for what it does may be replaced by statements."""
        if isinstance(node.value, ast.Call):
            found = self._member(node.value.func)
            if isinstance(found, Method):
                lowered = self._call(found, self._visited(node.value), as_statement=True)
                return lowered if isinstance(lowered, list) else ast.Expr(lowered)
        self.generic_visit(node)
        return node

    def _call(self, method: Method, call: ast.Call, as_statement: bool = False) -> ast.expr | list[ast.stmt]:
        if method.is_helper and (known := self._evaluated(method, call)) is not None:
            return known
        try:
            return self._inlined(method, call, as_statement)
        except NotInlinable:
            return self._called(method, call)

    def _evaluated(self, method: Method, call: ast.Call) -> ast.expr | None:
        """What a helper of the adapter makes of literals; None where it is given others, or makes no value."""
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(is_literal(argument) for argument in arguments):
            return None
        keywords = {keyword.arg: value_of(keyword.value) for keyword in call.keywords if keyword.arg}
        value = method.function(method.owner, *map(value_of, call.args), **keywords)
        return naming.of_result(self.parts, value, method.owner)

    def _inlined(self, method: Method, call: ast.Call, as_statement: bool) -> ast.expr | list[ast.stmt]:
        function = method.definition()
        bound = bound_arguments(function, call)
        inner = Lowering(self.parts, method.origin, bound)
        inner.scopes = [bound_in(function) - set(bound) - {"self"}]
        body = straightened(inner.code(without_docstring(function.body)))
        if as_statement and isinstance(body[-1], ast.Return) and (len(body) > 1 and _is_plain(body[-1].value)):
            body = body[:-1]
        verified(body, bound)
        if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value:
            return body[0].value
        if as_statement and len(body) == 1 and isinstance(body[0], STATEMENTS):
            return body
        raise NotInlinable

    def _called(self, method: Method, call: ast.Call) -> ast.Call:
        name = self.function_of(method)
        return ast.Call(inserted(name), call.args, call.keywords)

    def function_of(self, method: Method) -> str:
        """The name of the function that a verb becomes."""

        def make(name: str) -> ast.stmt:
            function = method.definition()
            function.name, function.decorator_list = name, []
            return Lowering(self.parts, method.origin).visit(function)  # type: ignore[no-any-return]

        return self.parts.defined(method.key, method.wanted_name, method.origin, make)

    def _as_value(self, method: Method) -> ast.expr:
        """A verb that is handed on: the engine's own function where the verb is no more than that."""
        function = method.definition()
        wanted = function.args.args[1 : len(function.args.args) - len(function.args.defaults)]
        names: list[ast.expr] = [ast.Name(argument.arg, ast.Load()) for argument in wanted]
        if function.args.vararg or function.args.kwarg or not names:
            return inserted(self.function_of(method))
        lowered = self._call(method, ast.Call(ast.Name("called", ast.Load()), names, []))
        if isinstance(lowered, list):
            return inserted(self.function_of(method))
        if isinstance(lowered, ast.Call) and _only_passes_on(lowered, names):
            return lowered.func
        parameters = [ast.arg(argument.arg) for argument in wanted]
        given = ast.arguments(posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.Lambda(given, lowered)

    def define(self, origin: Origin, name: str, statement: ast.stmt) -> str:
        """The name of a function, class or value of a module, which comes along."""

        def make(name: str) -> ast.stmt:
            tree = fresh(statement)
            if isinstance(tree, (ast.FunctionDef, ast.ClassDef)):
                tree.name = name
            elif isinstance(tree, ast.Assign):
                tree.targets = [ast.Name(name, ast.Store())]
            elif isinstance(tree, ast.AnnAssign):
                tree.target = ast.Name(name, ast.Store())
            return type(self)(self.parts, origin).visit(tree)  # type: ignore[no-any-return]

        return self.parts.defined((origin.module, name), name, origin, make)


def _is_plain(value: ast.expr | None) -> bool:
    return value is None or isinstance(value, (ast.Name, ast.Constant))


def _only_passes_on(call: ast.Call, names: list[ast.expr]) -> bool:
    """Whether a call is of a function of the engine, or the script, with just these arguments."""
    same = [ast.unparse(argument) for argument in call.args] == [ast.unparse(name) for name in names]
    rooted = isinstance(call.func, (ast.Name, ast.Attribute))
    own = {node.id for node in ast.walk(call.func) if isinstance(node, ast.Name)}
    return same and not call.keywords and rooted and not own & {ast.unparse(name) for name in names}


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without the text that heads them."""
    first = body[0] if body else None
    said = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return body[1:] if said else body
