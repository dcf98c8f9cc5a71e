"""The node of a recorded primitive, and how it gets onto the tape.

`note` writes an operation down: which inputs want a cotangent, which form they have, and the values that the
rules of just those inputs name. What no rule names is not kept, so it may be changed in place without harm, and a
node that kept nothing can be walked any number of times.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

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
    """The node of a recorded primitive: its rule, the options of the call, and the saved values."""

    def __init__(self, edges: Any, primitive: Primitive, forms: list[Form], options: dict[str, Any]) -> None:
        super().__init__(edges)
        self.primitive = primitive
        self.forms = forms
        self.options = options
        self.saved: dict[str, Any] | None = {}

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Apply the reverse rule of each argument that somebody wants a cotangent for."""
        g = cotangents[0]
        if g is None:
            return [None] * len(self.edges)
        values = self.values(recording)
        return [None if edge is None else self._to(index, g, values) for index, edge in enumerate(self.edges)]

    def values(self, recording: bool) -> dict[str, Any]:
        """Saved values and options by the names that rules use."""
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        how = "unpack" if recording else "array"
        return {
            "forms": self.forms,
            **self.options,
            **{k: getattr(v, how)(self) for k, v in self.saved.items()},
        }

    def _to(self, index: int, g: Any, values: dict[str, Any]) -> Any:
        cotangent = self.primitive.rule.vjp(index, g, values)
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

    def __getattr__(self, name: str) -> Any:
        """``_saved_self``, ``_saved_other``, ``_saved_result`` and raw forms, as PyTorch's nodes show them."""
        letter = _SAVED_NAMES.get(name.removeprefix("_raw"))
        if letter is None or letter not in (self.saved if self.saved is not None else _SAVED_NAMES.values()):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        value = self.saved[letter]
        return value if name.startswith("_raw") else value.unpack(self)


_SAVED_NAMES = {"_saved_self": "x", "_saved_other": "y", "_saved_exponent": "y", "_saved_result": "z"}


def note(primitive: Primitive, args: Sequence[Any], options: dict[str, Any], result: Tensor) -> Node | None:
    """Put an operation on the tape as the history of `result`, if an argument requires grad and a rule exists."""
    edges = tuple([a.edge() if isinstance(a, Tensor) else None for a in args])
    rule = primitive.rule
    if rule is None or all(e is None for e in edges) or result.array.dtype.kind not in "fc":
        return None
    edges = tuple(e if rule.differentiates(i) else None for i, e in enumerate(edges))
    name = primitive.node_name(options)
    if name not in primitive.node_classes:
        primitive.node_classes[name] = type(name, (PrimitiveNode,), {})
    node = primitive.node_classes[name](edges, primitive, [_form(a) for a in args], options)
    _save(node, args, result)
    result._node = node
    return node


def _form(value: Any) -> Form:
    if isinstance(value, Tensor):
        return Form(value.array.shape, value.array.dtype)
    return Form(np.shape(value), dtypes.of_number(value).numpy if not hasattr(value, "dtype") else value.dtype)


def _save(node: Any, args: Sequence[Any], result: Tensor) -> None:
    """Keep the values that the rules of the wanted arguments name, and no others."""
    wanted = [i for i, edge in enumerate(node.edges) if edge is not None]
    for letter in node.primitive.rule.saves(wanted):
        if letter == "z":
            node.saved["z"] = SavedResult(result)
        else:
            value = args[node.primitive.letters.index(letter)]
            node.saved[letter] = SavedTensor(value) if isinstance(value, Tensor) else Constant(value)
