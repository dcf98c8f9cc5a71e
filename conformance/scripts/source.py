"""A script while it is derived: its imports, its helper functions, and the meaning of names."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

from conformance.behaviour import Citation
from conformance.protocol import Adapter, Namespace
from conformance.scripts.trees import Underivable, binding, definition, literal, static

# The customary aliases of modules that adapters name in full.
SHORT = {"jax.numpy": "jnp", "numpy": "np"}
Make = Callable[[str], ast.stmt]


@dataclass(frozen=True)
class Origin:
    """The context of a piece of code, for looking up names: its module, the objects of `ad` or `self`, its class."""

    namespace: Mapping[str, Any]
    roots: Mapping[str, Any] = field(default_factory=dict)
    kind: type | None = None


@dataclass(frozen=True)
class Method:
    """The code of a verb, or of a helper of verbs: a function whose first parameter is `owner`."""

    name: str
    function: FunctionType
    owner: Any
    kind: type | None = None

    @property
    def origin(self) -> Origin:
        """The context of its code."""
        return Origin(self.function.__globals__, {self.function.__code__.co_varnames[0]: self.owner}, self.kind)

    def definition(self) -> ast.FunctionDef:
        """Its syntax tree, the owner first. Raises Underivable."""
        tree = definition(self.function, self.name)
        if tree.decorator_list:
            raise Underivable(f"the verb {self.name} cannot be shown: it is no plain method")
        return tree


class Script:
    """The imports and functions of a script, whose names are those of no variables, and its promise."""

    promise: tuple[Citation, ...] = ()  # the deciding citations
    convention: str | None = None  # the convention that is asserted
    sites: list[str]  # the assertions of a whole program, as in the check
    typed = False  # whether it asserts dtypes: only where a dtype was wrong, as these lines are long

    def __init__(self, adapter: Adapter, check: Origin, taken: Collection[str], plain: bool) -> None:
        self.adapter, self.check, self.taken, self.plain = adapter, check, taken, plain
        self.sites = []
        self.imports: dict[str, str] = {}  # line to name
        self.pieces: dict[str, Any] = {}
        self.places: dict[str, tuple[Any, ...]] = {}
        self.names: dict[Any, str] = {}
        kinds = (kind.__module__.partition(".")[0] for kind in type(adapter).__mro__ if kind is not object)
        self.ours = {"conformance", *kinds}

    def free(self, name: str) -> str:
        """The name, with underscores until it is free."""
        while name in self.taken or name in self.pieces or name in self.imports.values():
            name += "_"
        return name

    def imported(self, line: str, name: str) -> ast.Name:
        """A name that an import binds, such as `jnp` by `import jax.numpy`."""
        if line not in self.names:
            self.names[line] = free = self.free(name)
            self.imports[line if line.split()[-1] == free else f"{line} as {free}"] = free
        return ast.Name(self.names[line], ast.Load())

    def defined(self, wanted: str, place: tuple[Any, ...], make: Make) -> ast.Name:
        """The name of a helper function or value, which is made at its first use, and may use itself."""
        if place not in self.names:
            self.names[place] = name = self.free(wanted)
            self.pieces[name], self.places[name] = None, place
            self.pieces[name] = make(name)
        return ast.Name(self.names[place], ast.Load())

    def global_name(self, origin: Origin, name: str, define: Callable[[Origin, str, ast.stmt], ast.expr]) -> ast.expr:
        """The expression of a module's name: an import, a literal, or a definition that becomes part of the script."""
        statement = binding(origin.namespace, name)
        if statement is None:
            if name in origin.namespace or not hasattr(builtins, name):
                where = origin.namespace["__name__"]
                raise Underivable(f"where the name {name!r} comes from cannot be read in {where}")
            return ast.Name(name, ast.Load())
        value = getattr(statement, "value", None)
        if isinstance(value, ast.expr) and static(value) is not ... and len(ast.unparse(value)) <= 40:
            return value
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            return define(origin, name, statement)
        (alias,) = (part for part in statement.names if (part.asname or part.name.partition(".")[0]) == name)
        if isinstance(statement, ast.Import):
            return self.imported(f"import {alias.name if alias.asname else name}", name)
        module = str(statement.module)
        if module.partition(".")[0] not in self.ours:
            return self.imported(f"from {module} import {alias.name}", name)
        roots = {name: root for name, root in origin.roots.items() if name == "ad"}
        return self.global_name(Origin(vars(sys.modules[module]), roots), alias.name, define)

    def dotted(self, name: str, top: str = "") -> ast.expr:
        """An object of a library by its full name; `top` is the adapter's name of the top module."""
        known = next((module for module in SHORT if f"{name}.".startswith(f"{module}.")), name.partition(".")[0])
        held = getattr(self.adapter, known, None)
        module = held if isinstance(held, ModuleType) else sys.modules[known]
        node: ast.expr = self.imported(f"import {module.__name__}", SHORT.get(known, top or known))
        for part in name[len(known) + 1 :].split(".") if name != known else ():
            node = ast.Attribute(node, part, ast.Load())
        return node

    def value(self, value: Any, name: str, owner: Any) -> ast.expr:
        """A value of an attribute of the adapter, or from one of its functions. Raises Underivable."""
        if isinstance(value, ModuleType):
            return self.dotted(value.__name__, name)
        if (node := literal(value)) is not None:
            return node
        key = str(getattr(value, "__name__", str(value).rpartition(".")[2]))
        for held, module in (pair for kind in type(owner).__mro__ for pair in vars(kind).items()):
            if isinstance(module, ModuleType) and getattr(module, key, None) is value:
                return ast.Attribute(self.dotted(module.__name__, held), key, ast.Load())
        raise Underivable(f"{type(owner).__name__}.{name} is state of the adapter: {type(value).__name__}")

    def member(self, node: ast.expr, origin: Origin) -> Method | ast.expr | None:
        """The meaning of `ad.np.exp`, `self.torch` or `super().grad`, which begin with adapter or engine.

        None for anything else, such as an attribute of a module. Raises Underivable for an unknown name.
        """
        if not isinstance(node, ast.Attribute):
            return None
        owner = self._live(node.value, origin)
        if owner is None or isinstance(owner, ModuleType):
            return None
        if isinstance(spelling := getattr(owner, "__dict__", {}).get("_spellings", {}).get(node.attr), FunctionType):
            top = spelling.__code__.co_varnames[0]
            return Method(node.attr, spelling, getattr(self.adapter, top, sys.modules.get(top)))
        if spelling is not None:
            return self.dotted(str(spelling))
        attribute: Any = self._plain(node.attr, origin) or getattr(owner, node.attr, None)
        if attribute is None and not hasattr(owner, node.attr):
            raise Underivable(f"engine {self.adapter.name!r}: its adapter has no ad.{node.attr}")
        if (function := getattr(attribute, "__func__", None)) is None:
            return self.value(attribute, node.attr, owner)
        owner = attribute.__self__
        kind = next((kind for kind in type(owner).__mro__ if function in vars(kind).values()), None)
        return Method(node.attr, function, owner, kind)

    def _plain(self, verb: str, origin: Origin) -> Any:
        """The plain form of a transform of the check; none is plain if another transform is elsewhere."""
        form = getattr(self.adapter, f"_plain_{verb}", None) if self.plain else None
        self.plain = self.plain and (form is None or origin is self.check)
        return form if self.plain else None

    def _live(self, node: ast.expr, origin: Origin) -> Any:
        """The live object of an expression that begins with the engine or adapter."""
        if isinstance(node, ast.Name):
            return origin.roots.get(node.id)
        if isinstance(node, ast.Call) and ast.unparse(node) == "super()":
            return super(origin.kind or object, next(iter(origin.roots.values())))
        if isinstance(node, ast.Call) and origin.namespace.get(getattr(node.func, "id", "")) is Namespace:
            engine, table = node.args
            return Namespace(self._live(engine, origin), origin.namespace[getattr(table, "id", "")])
        owner = self._live(node.value, origin) if isinstance(node, ast.Attribute) else None
        if owner is None or isinstance(owner, ModuleType):
            return None
        return getattr(owner, node.attr, None)  # type: ignore[attr-defined]
