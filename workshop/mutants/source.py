"""Changing one place of an engine's source while it is loaded.

A module's source is parsed, one node of its syntax tree replaced, and the whole compiled. Each function whose code
came out different gets the new code, in place, so that every reference to the function means the changed one.
"""

from __future__ import annotations

import ast
import copy
import gc
import importlib.util
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from workshop.mutant import MutantError

Trail = tuple[tuple[str, int | None], ...]
Rewrite = Callable[[Any], ast.AST]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Place:
    """A node of a module's syntax tree, the fields that lead to it, and the functions and classes around it."""

    module: str
    node: ast.AST
    trail: Trail
    around: tuple[ast.AST, ...]

    @property
    def where(self) -> str:
        """Module and qualified name, without the engine's package."""
        names = [getattr(node, "name", "<lambda>") for node in self.around if _is_scope(node)]
        return ".".join([*self.module.split(".")[1:], *names])

    @property
    def function(self) -> Any:
        """The innermost function or lambda around the node; None at the top of a module or class."""
        scopes = [node for node in self.around if _is_scope(node)]
        return scopes[-1] if scopes and isinstance(scopes[-1], _FUNCTIONS) else None

    def text(self, node: ast.AST | None = None) -> str:
        """The source of the node, or of another one, on one line."""
        return " ".join(ast.unparse(node or self.node).split())


def _is_scope(node: ast.AST) -> bool:
    return isinstance(node, (*_FUNCTIONS, ast.ClassDef))


@cache
def modules_of(package: str) -> dict[str, Path]:
    """The modules of a package with their files, by dotted name; nothing is imported but the package's parent."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MutantError(f"there is no package {package!r} to mutate")
    root = Path(next(iter(spec.submodule_search_locations)))
    dotted = {path.relative_to(root.parent).with_suffix(""): path for path in sorted(root.rglob("*.py"))}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in dotted.items()}


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file. Not to be changed."""
    return ast.parse(path.read_text("utf-8"))


def places(module: str, path: Path) -> Iterator[Place]:
    """Every node of a module, in the order of the source."""
    yield from _below(module, parsed(path), (), ())


def _below(module: str, node: ast.AST, trail: Trail, around: tuple[ast.AST, ...]) -> Iterator[Place]:
    yield Place(module, node, trail, around)
    inside = (*around, node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield from _below(module, value, (*trail, (name, None)), inside)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _below(module, item, (*trail, (name, index)), inside)


class Fault(NamedTuple):
    """A fault: its family, the words after it in the name, a sentence, and the rewriting.

    `rewrite` makes another node of the place's; where it is None, `default` names an argument and its other default.
    `branch` is the outcome of the test, that the place is, in which the fault shows; `raising`, that it counts only if
    behaviours reach the error around it.
    """

    family: str
    text: str
    what: str
    rewrite: Callable[[Any], ast.AST] | None
    default: tuple[str, Any] | None = None
    branch: bool | None = None
    raising: bool = False


@contextmanager
def changed(place: Place, rewrite: Rewrite) -> Iterator[None]:
    """Let the place's node be what `rewrite` makes of a copy of it. Raises MutantError if no function would change."""
    path = modules_of(place.module.split(".")[0])[place.module]
    old, new = (_compiled(tree, path) for tree in (parsed(path), _rewritten(parsed(path), place.trail, rewrite)))
    swaps = [(f, f.__code__, code) for was, code in _differing(old, new) for f in functions_of(was)]
    if not swaps:
        raise MutantError(f"{place.where}: no loaded function has the line {place.text()!r}")
    try:
        for function, _, code in swaps:
            function.__code__ = code
        yield
    finally:
        for function, code, _ in swaps:
            function.__code__ = code


def _compiled(tree: ast.Module, path: Path) -> CodeType:
    # This module's own `from __future__` would show in the code.
    return compile(tree, str(path), "exec", dont_inherit=True)


def _rewritten(tree: ast.Module, trail: Trail, rewrite: Rewrite) -> ast.Module:
    """A copy of the tree in which the node at the end of the trail is rewritten."""
    # `parsed` is cached, and its trees are shared by all mutants of a module.
    whole = copy.deepcopy(tree)
    owner: Any = whole
    for step in trail[:-1]:
        owner = _step(owner, step)
    name, index = trail[-1]
    new = ast.copy_location(rewrite(_step(owner, trail[-1])), _step(owner, trail[-1]))
    if index is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[index] = new
    return ast.fix_missing_locations(whole)


def _step(owner: Any, step: tuple[str, int | None]) -> Any:
    name, index = step
    return getattr(owner, name) if index is None else getattr(owner, name)[index]


def _differing(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The pairs of code, one inside the other, that are not the same."""
    became = _codes(new)
    for key, was in _codes(old).items():
        if key in became and was != became[key]:
            yield was, became[key]
            # The code of an outer function contains that of inner ones; each loaded function needs its own part.
            yield from _differing(was, became[key])


def _codes(code: CodeType) -> dict[tuple[int, str, int], CodeType]:
    """The code inside a code, by its line, its name, and a number where several share these."""
    # A rewritten node keeps its line number, by which a function is looked up in the new code.
    codes: dict[tuple[int, str, int], CodeType] = {}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            number = sum(key[:2] == (const.co_firstlineno, const.co_name) for key in codes)
            codes[const.co_firstlineno, const.co_name, number] = const
    return codes


def first_position(code: CodeType) -> tuple[int, int]:
    """The line and column at which the body of a function begins."""
    # What the compiler adds in front (RESUME) has an empty range of columns.
    places = [(line, start) for line, _, start, end in code.co_positions() if start != end]
    positions = [(line, start) for line, start in places if line and start is not None]
    return min(positions, default=(code.co_firstlineno, 0))


@contextmanager
def default_changed(place: Place, argument: str, value: Any) -> Iterator[None]:
    """Let the argument of the function at this place have another default. Raises MutantError if it is not loaded."""
    functions = [f for f in _by_definition().get(_definition(place), []) if argument in inspect.signature(f).parameters]
    if not functions:
        raise MutantError(f"{place.where}: no loaded function has an argument {argument!r} with a default")
    before = [(function, function.__defaults__, function.__kwdefaults__) for function in functions]
    try:
        for function in functions:
            _set_default(function, argument, value)
        yield
    finally:
        for function, defaults, keywords in before:
            function.__defaults__, function.__kwdefaults__ = defaults, keywords


def _set_default(function: FunctionType, argument: str, value: Any) -> None:
    if argument in (function.__kwdefaults__ or {}):
        function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), argument: value}
        return
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = list(function.__defaults__ or ())
    defaults[names.index(argument) - len(names)] = value
    function.__defaults__ = tuple(defaults)


def _definition(place: Place) -> tuple[str, int, str]:
    node: Any = place.node
    # The first line of a function's code is that of its first decorator.
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return str(modules_of(place.module.split(".")[0])[place.module]), first, node.name


@cache
def _by_definition() -> dict[tuple[str, int, str], list[FunctionType]]:
    functions_by_place: dict[tuple[str, int, str], list[FunctionType]] = {}
    for code, functions in _loaded().items():
        functions_by_place.setdefault((code.co_filename, code.co_firstlineno, code.co_name), []).extend(functions)
    return functions_by_place


@cache
def _loaded() -> dict[CodeType, list[FunctionType]]:
    """Every function that there is, by its code, as it was when first asked for."""
    functions_by_code: dict[CodeType, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType:  # isinstance would ask proxies, which answer with warnings
            functions_by_code.setdefault(thing.__code__, []).append(thing)
    return functions_by_code


def index() -> None:
    """Look up the functions that are loaded now, once, so that forks need not."""
    _by_definition()


def functions_of(code: CodeType) -> list[FunctionType]:
    """The functions that run this code."""
    # Short functions of two files can have equal code: `lambda x: x` on the same line.
    return [f for f in _loaded().get(code, []) if Path(f.__code__.co_filename) == Path(code.co_filename)]
