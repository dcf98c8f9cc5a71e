"""Source code as syntax trees, of functions and of statements of modules. Trees are never changed."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

SCOPES = (ast.Lambda, ast.FunctionDef, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
Function = ast.FunctionDef | ast.Lambda


class Underivable(Exception):
    """No script can be derived; the message has the part, and the reason."""


def text_of(statements: Sequence[ast.stmt]) -> str:
    """Statements as text, with a blank line around each definition: `ast.unparse` has one before it only."""
    text = ""
    for before, now in zip([None, *statements], statements, strict=False):
        apart = isinstance(before, DEFINITIONS) or isinstance(now, DEFINITIONS)
        text += ("\n\n" if apart else "\n") if before else ""
        if isinstance(now, ast.FunctionDef):
            head = ast.FunctionDef(**{**vars(now), "body": [ast.Pass()]})
            text += _unparsed(head).removesuffix("pass").rstrip(" ") + textwrap.indent(text_of(now.body), "    ")
        else:
            text += _unparsed(now)
    return text


def _unparsed(node: ast.stmt) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).lstrip("\n")


class Rewriter(ast.NodeVisitor):
    """A transformer that builds another tree: `ast.NodeTransformer` changes its own, of which copies are slow."""

    def generic_visit(self, node: ast.AST) -> Any:
        if not node._fields:
            return node
        copy = type(node)()
        # All attributes, not fields alone: the mark of a default (`lowering`) is one.
        for name, value in vars(node).items():
            if isinstance(value, ast.AST):
                value = self.visit(value)
            elif isinstance(value, list):
                parts = [self.visit(part) if isinstance(part, ast.AST) else part for part in value]
                value = [item for part in parts for item in (part if isinstance(part, list) else [part])]
            vars(copy)[name] = value
        return copy

    def visit_Starred(self, node: ast.Starred) -> Any:
        """The spread value may be at hand: `f(*(a, b))`."""
        value = self.visit(node.value)
        return value.elts if isinstance(value, ast.Tuple) else ast.Starred(value, node.ctx)


def without_getattr(call: ast.Call) -> ast.expr:
    """`getattr` with a constant name as an attribute; other calls as they are."""
    if getattr(call.func, "id", "") == "getattr" and len(call.args) == 2 and isinstance(call.args[1], ast.Constant):
        return ast.Attribute(call.args[0], str(call.args[1].value), ast.Load())
    return call


def template(text: str, **parts: Any) -> list[ast.stmt]:
    """Statements from a text, in which names stand for expressions, or, alone in a line, for statements."""
    return Filled(parts).visit(ast.parse(text)).body  # type: ignore[no-any-return]


class Filled(Rewriter):
    """A rewriter that replaces names by expressions and statements."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts

    def visit_Expr(self, node: ast.Expr) -> Any:
        part = self.parts.get(getattr(node.value, "id", ""))
        return part if isinstance(part, list) else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        return self.parts.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


@cache
def _module(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text("utf-8"))


@cache
def _functions(path: str) -> Mapping[tuple[str, int], list[Function]]:
    """The functions of a file by name and first line, decorators included."""
    functions: dict[tuple[str, int], list[Function]] = {}
    for node in ast.walk(_module(path)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            # As code objects count: `co_firstlineno` is the line of the first decorator.
            first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
            functions.setdefault((getattr(node, "name", "<lambda>"), first), []).append(node)
    return functions


@cache
def definition(function: FunctionType, name: str = "") -> ast.FunctionDef:
    """The syntax tree of a function; a lambda is given the name. Raises Underivable where there is no source."""
    free = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    # Literals of the function around it take the place of their names.
    parts = {name: literal(cell.cell_contents) for name, cell in free if name != "__class__"}
    if None in parts.values():
        raise Underivable(f"{function.__qualname__} uses variables of the function around it: {sorted(parts)}")
    tree = open_definition(function, name)
    return Filled(parts).visit(tree) if parts else tree


@cache
def open_definition(function: FunctionType, name: str = "") -> ast.FunctionDef:
    """The syntax tree of a function that may use variables of the function around it. Raises Underivable."""
    code = function.__code__
    name = name or function.__qualname__
    if not Path(code.co_filename).exists():
        raise Underivable(f"{name} cannot be shown: there is no file {code.co_filename}")
    alike = _functions(code.co_filename).get((function.__name__, code.co_firstlineno), [])
    if len(alike) > 1:  # lambdas in one line
        alike = [node for node in alike if _essence(_compiled(node)) == _essence(code)]
    if not alike:
        raise Underivable(f"{name} cannot be shown: it is not found in {code.co_filename}")
    # Callers share the cached tree, as trees are never changed.
    tree = alike[0]
    if isinstance(tree, ast.FunctionDef):
        return tree
    returned: list[ast.stmt] = [ast.Return(tree.body)]
    return ast.FunctionDef(name=name, args=tree.args, body=returned, decorator_list=[], lineno=tree.lineno)


def _compiled(node: Any) -> CodeType:
    return next(part for part in compile(ast.Expression(node), "", "eval").co_consts if isinstance(part, CodeType))


# Lambdas in one line differ in their bytecode only; line tables depend on the place.
def _essence(code: CodeType) -> tuple[Any, ...]:
    constants = [repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code, code.co_names, code.co_varnames, constants


def binding(namespace: Mapping[str, Any], name: str) -> ast.stmt | None:
    """The statement at the top of a module that binds a name, if there is one."""
    path = namespace.get("__file__")
    return _bindings(path).get(name) if path else None


@cache
def _bindings(path: str) -> Mapping[str, ast.stmt]:
    return {name: statement for statement in _module(path).body for name in _bound_by(statement)}


def _bound_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    parts = [statement] if isinstance(statement, SCOPES) else ast.iter_child_nodes(statement)
    return [name for part in parts for name in _names(part)]


def bound_in(*nodes: ast.AST) -> set[str]:
    """The names that pieces of code bind, in whichever scope."""
    return {name for node in nodes for part in ast.walk(node) for name in _names(part)}


def names_in(*nodes: ast.AST) -> set[str]:
    """The names that pieces of code use."""
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)):
        return [node.name] if node.name else []
    return [node.arg] if isinstance(node, ast.arg) else []


def literal(value: Any, other: Callable[[Any], ast.expr | None] = lambda value: None) -> ast.expr | None:
    """The expression of a value of Python's own types; `other` makes those of other parts. None if there is none."""
    if type(value) in (list, tuple, dict):
        parts: Any = [literal(part, other) for part in (value.values() if isinstance(value, dict) else value)]
        if None in parts:
            return None
        if isinstance(value, dict):
            return ast.Dict([ast.Constant(key) for key in value], parts)
        return ast.List(parts, ast.Load()) if isinstance(value, list) else ast.Tuple(parts, ast.Load())
    if type(value) in (float, complex) and not abs(value) < float("inf"):
        return ast.parse(f"{type(value).__name__}({str(value)!r})", mode="eval").body
    plain = type(value) in (type(None), type(...), bool, int, str, bytes, float, complex)
    return ast.parse(repr(value), mode="eval").body if plain else other(value)


def static(node: ast.expr, known: Mapping[str, ast.expr] | None = None) -> Any:
    """The value of a literal, in which names may be `known` to be literals; `...` for anything else."""
    try:
        return ast.literal_eval(_Known(known or {}).visit(node))
    except (ValueError, TypeError):
        return ...


class _Known(Filled):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Numbers that are not finite have no literal: `float("nan")`."""
        number: Any = {"float": float, "complex": complex}.get(getattr(node.func, "id", ""))
        return ast.Constant(number(ast.literal_eval(node.args[0]))) if number and node.args else node
