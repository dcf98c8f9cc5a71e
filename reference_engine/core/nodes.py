"""The node of a recorded primitive, and how it gets onto the tape.

`note` writes an operation down: which inputs want a cotangent, which form they have, and the values that the
rules of just those inputs name. What no rule names is not kept, so it may be changed in place without harm, and a
node that kept nothing can be walked any number of times.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import Any

from . import dtypes
from .primitive import Primitive
from .saved import FREED, SavedResult, SavedTensor
from .tape import Form, Node, conform
from .tensor import Tensor


class Constant:
    """A saved value that is no tensor, such as the 2 of ``x * 2``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def array(self, node: Node) -> Any:
        """The value, for a pullback on plain arrays."""
        return self.value

    unpack = array


class PrimitiveNode(Node):
    """The node of a recorded primitive: the options of the call, and the saved values."""

    primitive: Primitive  # set by the subclass that each primitive has

    def __init__(self, edges: Any, forms: tuple[Any, ...], options: dict[str, Any], saved: dict[str, Any]) -> None:
        Node.__init__(self, edges)
        self.forms = forms
        self.options = options
        self.saved: dict[str, Any] | None = saved

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Apply the reverse rule of each argument that somebody wants a cotangent for."""
        g = cotangents[0]
        if g is None:
            return [None] * len(self.edges)
        values = self.values(recording)
        values["g"] = g
        results: list[Any] = [None] * len(self.edges)
        for index, edge in enumerate(self.edges):
            if edge is not None:
                results[index] = self._to(index, values)
        return results

    def values(self, recording: bool) -> dict[str, Any]:
        """Saved values and options by the names that rules use."""
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        rule = self.primitive.rule
        values = {**self.options, **rule.forms(starmap(Form, self.forms))} if rule.names_forms else self.options.copy()
        for letter, kept in self.saved.items():
            values[letter] = kept.unpack(self) if recording else kept.array(self)
        return values

    def _to(self, index: int, values: dict[str, Any]) -> Any:
        cotangent = self.primitive.rule.vjp(index, values)
        if cotangent is None:
            return None
        try:
            return conform(cotangent, self.forms[index])
        except RuntimeError as error:
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {index}: {error}"
            ) from None

    def release(self) -> None:
        """Forget the saved values; a node that saved none can be walked again."""
        if self.saved:
            self.saved = None

    def shown(self, letter: str, unpacked: bool) -> Any:
        """What was saved under a letter, None if nobody needed it; AttributeError if no rule names it.

        RuntimeError if it was freed.
        """
        if letter not in self.primitive.rule.names:
            raise AttributeError(f"{self.name()} never saves the value that rules call {letter}")
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        kept = self.saved.get(letter)
        return kept.unpack(self) if unpacked and kept is not None else kept


_SAVED_NAMES = {"_saved_self": "x", "_saved_other": "y", "_saved_exponent": "y", "_saved_result": "z"}


def _showing(letter: str, unpacked: bool) -> property:
    return property(lambda node: node.shown(letter, unpacked))


# Properties, one by one: a `__getattr__` would slow down every attribute of every node.
for _name, _letter in _SAVED_NAMES.items():
    setattr(PrimitiveNode, _name, _showing(_letter, True))
    setattr(PrimitiveNode, "_raw" + _name, _showing(_letter, False))


def note(primitive: Primitive, args: Sequence[Any], options: dict[str, Any], result: Tensor) -> Node | None:
    """Put an operation on the tape as the history of `result`, if an argument requires grad and a rule exists."""
    rule = primitive.rule
    histories = [a.edge() if isinstance(a, Tensor) else None for a in args]
    if rule is None or not any(histories) or result.array.dtype.kind not in "fc":
        return None
    edges, letters = rule.plan(histories)
    # Tuples within a tuple, which Python's garbage collector soon stops looking at, unlike a list of Forms.
    forms = tuple([(a.array.shape, a.array.dtype) if isinstance(a, Tensor) else _form(a) for a in args])
    saved: dict[str, Any] = {}
    for letter, index in letters:
        if index is None:
            saved[letter] = SavedResult(result)
        else:
            value = args[index]
            saved[letter] = SavedTensor(value, histories[index]) if isinstance(value, Tensor) else Constant(value)
    node = _node_class(primitive, options)(edges, forms, options, saved)
    result._node = node
    return node


def _node_class(primitive: Primitive, options: dict[str, Any]) -> Any:
    """The class of a call's node: programs tell operations apart by the names of their nodes' types."""
    name = primitive.node_name(options)
    if name not in primitive.node_classes:
        primitive.node_classes[name] = type(name, (PrimitiveNode,), {"primitive": primitive})
    return primitive.node_classes[name]


def _form(value: Any) -> tuple[Any, Any]:
    """The form of an array or a Python number."""
    return (value.shape, value.dtype) if hasattr(value, "dtype") else ((), dtypes.of_number(value).numpy)
