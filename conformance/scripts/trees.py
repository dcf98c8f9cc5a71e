"""Source code as syntax trees: of functions, and of what stands at the top of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar

__all__ = [
    "SCOPES",
    "Underivable",
    "binding",
    "bound_in",
    "clashes",
    "definition",
    "free_in",
    "fresh",
    "inserted",
    "submodules",
    "template",
    "without_docstring",
]

SCOPES = (ast.Lambda, ast.FunctionDef, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Function = ast.FunctionDef | ast.Lambda
Tree = TypeVar("Tree", bound=ast.AST)


class Underivable(Exception):
    """No script can be derived; the message says of what, and why."""


def fresh(tree: Tree) -> Tree:
    """A copy that may be changed, marks included. Much faster than copy.deepcopy."""
    copy = type(tree)()
    for name, value in vars(tree).items():
        if isinstance(value, ast.AST) and not isinstance(value, (ast.expr_context, ast.operator)):
            value = fresh(value)
        elif isinstance(value, list):
            value = [fresh(part) if isinstance(part, ast.AST) else part for part in value]
        vars(copy)[name] = value
    return copy


def inserted(name: str) -> ast.Name:
    """A name that the script brings, and not the code that is rewritten: no variable may hide it."""
    node = ast.Name(name, ast.Load())
    vars(node)["inserted"] = True
    return node


def template(text: str, **parts: Any) -> list[ast.stmt]:
    """Statements from a text, in which names stand for expressions, or, alone in a line, for statements."""
    return _Filled(parts).visit(ast.parse(text)).body  # type: ignore[no-any-return]


class _Filled(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts

    def visit_Expr(self, node: ast.Expr) -> Any:
        part = self.parts.get(getattr(node.value, "id", ""))
        return part if isinstance(part, list) else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        part = self.parts.get(node.id, node)
        return part if isinstance(node.ctx, ast.Load) else node


def clashes(node: ast.AST, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The inserted names that a variable hides."""
    if isinstance(node, ast.Name) and "inserted" in vars(node) and node.id in bound:
        yield node.id
    inner = bound | bound_in(node) if isinstance(node, SCOPES) else bound
    for child in ast.iter_child_nodes(node):
        yield from clashes(child, inner)


@cache
def _module(path: str) -> ast.Module:
    try:
        return ast.parse(Path(path).read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise Underivable(f"the source of {path} cannot be read: {error}") from None


@cache
def _functions(path: str) -> Mapping[int, list[Function]]:
    """The functions of a file by their first line, decorators included."""
    found: dict[int, list[Function]] = {}
    for node in ast.walk(_module(path)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            lines = [decorator.lineno for decorator in getattr(node, "decorator_list", [])]
            found.setdefault(min(node.lineno, *lines, node.lineno), []).append(node)
    return found


def definition(function: FunctionType, name: str = "") -> ast.FunctionDef:
    """The syntax tree of a function, to be changed at will; a lambda is given the name.

    Raises Underivable where there is no source.
    """
    code = function.__code__
    if set(code.co_freevars) - {"__class__"}:
        raise Underivable(f"{function.__qualname__} uses variables of the function around it: {code.co_freevars}")
    here = _functions(code.co_filename).get(code.co_firstlineno, [])
    named = [node for node in here if getattr(node, "name", "<lambda>") == function.__name__]
    alike = [node for node in named if len(named) == 1 or _is_code_of(node, code)]
    if not alike:
        raise Underivable(f"{function.__qualname__} is not found in {code.co_filename}")
    tree = fresh(alike[0])
    if isinstance(tree, ast.FunctionDef):
        return tree
    returned: list[ast.stmt] = [ast.Return(tree.body)]
    return ast.FunctionDef(name=name, args=tree.args, body=returned, decorator_list=[], lineno=tree.lineno)


def _is_code_of(node: Function, code: CodeType) -> bool:
    """Whether a lambda is the one of several in its line that was compiled to this."""
    if not isinstance(node, ast.Lambda):
        return True
    compiled = compile(ast.Expression(node), code.co_filename, "eval")
    (inner,) = (const for const in compiled.co_consts if isinstance(const, CodeType))
    told = ("co_code", "co_names", "co_varnames")
    return all(getattr(inner, name) == getattr(code, name) for name in told) and _plain(inner) == _plain(code)


def _plain(code: CodeType) -> list[str]:
    return [repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without the text that heads them."""
    first = body[0] if body else None
    return body[1:] if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else body


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


def submodules(path: str) -> list[str]:
    """What a module imports by `import a.b.c`."""
    imports = (node for node in _module(path).body if isinstance(node, ast.Import))
    return [alias.name for node in imports for alias in node.names if "." in alias.name and not alias.asname]


def bound_in(node: ast.AST) -> set[str]:
    """The names that a function, lambda, class, comprehension or module binds; scopes within it bind for themselves."""
    names = {name for part in _below(node) for name in _names(part)}
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        names.update(part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg))
    return names


def free_in(node: ast.AST) -> Iterator[str]:
    """The names that a piece of code uses, and that stand for something outside of it."""
    if isinstance(node, ast.Name):
        yield node.id
    own = bound_in(node) if isinstance(node, SCOPES) else set()
    for child in ast.iter_child_nodes(node):
        yield from (name for name in free_in(child) if name not in own)


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without what stands in scopes further down."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _below(child)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [node.name] if isinstance(node, ast.ExceptHandler) and node.name else []
