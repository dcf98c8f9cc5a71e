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
    "Function",
    "Underivable",
    "binding",
    "bound_in",
    "definition",
    "free_in",
    "fresh",
    "plain_imports",
    "values_of",
]

SCOPES = (ast.Lambda, ast.FunctionDef, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Function = ast.FunctionDef | ast.Lambda
_PLACES = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset"})
Tree = TypeVar("Tree", bound=ast.AST)


class Underivable(Exception):
    """No script can be derived; the message says of what, and why."""


def fresh(tree: Tree) -> Tree:
    """A copy that may be changed; its marks are kept. Places in a file are not, and what is no tree is shared."""
    copy = type(tree)()
    made = vars(copy)
    for name, value in vars(tree).items():
        if isinstance(value, (ast.expr_context, ast.operator)):
            made[name] = value
        elif isinstance(value, ast.AST):
            made[name] = fresh(value)
        elif isinstance(value, list):
            made[name] = [fresh(part) if isinstance(part, ast.AST) else part for part in value]
        elif name not in _PLACES:
            made[name] = value
    return copy


def inserted(name: str) -> ast.Name:
    """A name that the script brings, and not the code that is rewritten: no other may hide it."""
    node = ast.Name(name, ast.Load())
    vars(node)["inserted"] = True
    return node


def is_inserted(node: ast.AST) -> bool:
    """Whether a node is such a name."""
    return "inserted" in vars(node)


@cache
def _module(path: str) -> ast.Module:
    try:
        return ast.parse(Path(path).read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise Underivable(f"the source of {path} cannot be read: {error}") from None


@cache
def _functions(path: str) -> Mapping[int, list[Function]]:
    """All functions of a file, by the line in which they begin."""
    found: dict[int, list[Function]] = {}
    for node in ast.walk(_module(path)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            found.setdefault(_first_line(node), []).append(node)
    return found


def _first_line(node: Function) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min(node.lineno, *(decorator.lineno for decorator in decorators), node.lineno)


def definition(function: FunctionType) -> Function:
    """The syntax tree of a function, to be changed at will. Raises Underivable where there is no source."""
    code = function.__code__
    if set(code.co_freevars) - {"__class__"}:
        raise Underivable(f"{function.__qualname__} uses variables of the function around it: {code.co_freevars}")
    here = _functions(code.co_filename).get(code.co_firstlineno, [])
    named = [node for node in here if getattr(node, "name", "<lambda>") == function.__name__]
    alike = [node for node in named if len(named) == 1 or _is_code_of(node, code)]
    if not alike:
        raise Underivable(f"{function.__qualname__} is not found in {code.co_filename}")
    return fresh(alike[0])


def _is_code_of(node: Function, code: CodeType) -> bool:
    """Whether a lambda is the one of several in its line that was compiled to this."""
    if not isinstance(node, ast.Lambda):
        return True
    compiled = compile(ast.Expression(node), code.co_filename, "eval")
    (inner,) = (const for const in compiled.co_consts if isinstance(const, CodeType))
    told = ("co_code", "co_names", "co_varnames")
    same = all(getattr(inner, name) == getattr(code, name) for name in told)
    return same and _plain(inner.co_consts) == _plain(code.co_consts)


def _plain(constants: tuple[Any, ...]) -> list[str]:
    return [repr(constant) for constant in constants if not isinstance(constant, CodeType)]


def binding(namespace: Mapping[str, Any], name: str) -> ast.stmt | None:
    """The statement at the top of a module that binds a name, if there is one."""
    path = namespace.get("__file__")
    return _bindings(path).get(name) if path else None


@cache
def _bindings(path: str) -> Mapping[str, ast.stmt]:
    return {name: statement for statement in _module(path).body for name in _bound_by(statement)}


def _bound_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def plain_imports(path: str) -> list[str]:
    """What a module imports by `import a.b.c`."""
    imports = (node for node in _module(path).body if isinstance(node, ast.Import))
    return [alias.name for node in imports for alias in node.names if not alias.asname]


@cache
def values_of(path: str) -> frozenset[str]:
    """The names that the functions of a file use for values of their own."""
    return frozenset(name for functions in _functions(path).values() for node in functions for name in bound_in(node))


@cache
def names_in(path: str) -> frozenset[str]:
    """The same, and the names of what stands at the top of the file, imports apart."""
    made = (name for name, one in _bindings(path).items() if not isinstance(one, (ast.Import, ast.ImportFrom)))
    return values_of(path).union(made)


def bound_in(node: ast.AST) -> set[str]:
    """The names that a function, lambda, class or comprehension binds for itself; those within it bind their own."""
    return {name for part in _own(node) for name in _names(part)} | _parameters(node)


def free_in(node: ast.AST) -> Iterator[str]:
    """The names that a piece of code uses, and that stand for something outside of it."""
    if isinstance(node, ast.Name):
        yield node.id
        return
    own = bound_in(node) if isinstance(node, SCOPES) else set()
    for child in ast.iter_child_nodes(node):
        yield from (name for name in free_in(child) if name not in own)


def _parameters(node: ast.AST) -> set[str]:
    if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return set()
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {argument.arg for argument in every if argument is not None}


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without what stands in scopes of its own."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own(child)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ExceptHandler) and node.name:
        return [node.name]
    return []
