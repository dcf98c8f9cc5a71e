"""What stands behind `ad.np.exp`, `self.torch` or `super().grad`: a method with its code, or a value."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from conformance.protocol import Adapter
from conformance.scripts.parts import Origin
from conformance.scripts.trees import Underivable, definition, values_of

__all__ = ["Held", "Lacking", "Method", "member", "nothing"]

NAMESPACES = ("np", "functional")
_NOWHERE = object()


class Lacking(Underivable):
    """The engine has no such verb."""


@dataclass(frozen=True)
class Method:
    """A method of an adapter, or of what an adapter holds: what it is called, whose it is, the class that has it."""

    name: str
    function: FunctionType
    owner: Any
    kind: type

    @property
    def key(self) -> tuple[Any, ...]:
        """The same for the same code and owner."""
        return self.function, type(self.owner)

    @property
    def wanted_name(self) -> str:
        """The same without its underscore, where no function beside it uses that name for a value."""
        plain = self.name.strip("_")
        return self.name if plain in values_of(self.function.__code__.co_filename) else plain

    @property
    def is_helper(self) -> bool:
        """Whether it is no verb, but something that verbs lean on."""
        return self.name.startswith("_")

    @property
    def origin(self) -> Origin:
        """Where its names are looked up."""
        return Origin(self.function.__globals__, {self.first: self.owner}, self.kind)

    @property
    def first(self) -> str:
        """What it calls its owner."""
        return self.function.__code__.co_varnames[0]

    def definition(self) -> ast.FunctionDef:
        """Its syntax tree. Raises Underivable."""
        try:
            tree = definition(self.function)
        except Underivable as error:
            raise Underivable(f"the verb {self.name} cannot be shown: {error}") from None
        if not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
            raise Underivable(f"the verb {self.name} cannot be shown: it is no plain method")
        return tree


@dataclass(frozen=True)
class Held:
    """A value that an adapter holds under a name."""

    value: Any
    name: str
    owner: Any


def member(node: ast.expr, origin: Origin, adapter: Adapter) -> Method | Held | None:
    """What an expression names, if it begins with the engine or adapter, and ends in something of theirs.

    The attribute of a module is none of theirs. Raises Underivable where there is nothing of that name.
    """
    if not isinstance(node, ast.Attribute):
        return None
    if _is_super(node.value):
        owner = next(iter(origin.roots.values()))
        return _method(owner, node.attr, type(owner).__mro__[type(owner).__mro__.index(origin.kind) + 1 :])
    owner = _owner(node.value, origin, adapter)
    if owner is None or isinstance(owner, ModuleType):
        return None
    if found := _method(owner, node.attr, type(owner).__mro__):
        return found
    return Held(_attribute(owner, node.attr, adapter), node.attr, owner)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _owner(node: ast.expr, origin: Origin, adapter: Adapter) -> Any:
    """The live object that an expression stands for, if it begins with the engine or adapter."""
    if isinstance(node, ast.Name):
        return origin.roots.get(node.id)
    if not isinstance(node, ast.Attribute):
        return None
    owner = _owner(node.value, origin, adapter)
    if owner is None or isinstance(owner, ModuleType):
        return None
    return _attribute(owner, node.attr, adapter)


def _method(owner: Any, name: str, kinds: tuple[type, ...]) -> Method | None:
    for kind in kinds:
        if name in vars(kind):
            found = vars(kind)[name]
            return Method(name, found, owner, kind) if inspect.isfunction(found) else None
    return None


def _attribute(owner: Any, name: str, adapter: Adapter) -> Any:
    """What an owner holds under a name, looked up without running code that is not known to be harmless."""
    found = inspect.getattr_static(owner, name, _NOWHERE)
    if found is _NOWHERE:
        raise _lacking(owner, name, adapter)
    if isinstance(found, property) and name in NAMESPACES:
        return found.__get__(owner)
    if hasattr(type(found), "__get__"):
        raise Underivable(f"the verb {name} cannot be shown: it is computed, as {type(found).__name__}")
    return found


def _lacking(owner: Any, name: str, adapter: Adapter) -> Underivable:
    if hasattr(type(owner), "__getattr__"):
        return Underivable(
            f"the verb {name} cannot be shown: {type(owner).__name__} makes its verbs as they are asked for"
        )
    features = {feature: absence.reason for absence in adapter.absences for feature in absence.features}
    reasons = [
        reason for feature, reason in features.items() if feature in (name, *(f"{one}.{name}" for one in NAMESPACES))
    ]
    why = f"it is absent by design: {reasons[0]}" if reasons else "its adapter says nothing about it"
    return Lacking(f"engine {adapter.name!r} has no ad.{name}; {why}")


class _Nothing:
    def absent(self, *args: Any, **keywords: Any) -> Any:
        raise NotImplementedError("this engine has nothing of the kind; its run ended before it was asked for it")


def nothing() -> Method:
    """What stands for a verb that the engine lacks, in a program that never came so far."""
    return Method("absent", vars(_Nothing)["absent"], _Nothing(), _Nothing)
