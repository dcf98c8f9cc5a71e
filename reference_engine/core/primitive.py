"""Primitives: operations on arrays, and their interpretation on tensors (evaluate, wrap, record).

A primitive is called on anything. Plain arrays in, plain array out, nothing else happens: so backward runs where no
graph is wanted. If an argument is a Tensor, the call is interpreted: operands are given a common type, NumPy computes,
and if recording is on and some operand requires grad, a `PrimitiveNode` goes onto the tape. It keeps the values that
the VJPs of just those operands name. What no VJP names is not kept, so it may be changed in place without harm.

Because a rule is itself written in primitives, calling it on Tensors records it in turn, which is all that higher
order needs. Inside a transform (`levels`) the operation is handed to the innermost level that an operand belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import dtypes, levels
from .aliases import Array, Options
from .modes import state
from .tape import FREED, Edge, Node, SavedResult, SavedTensor, announce
from .tensor import Tensor

EVERY_FORM = "function method inplace"
FUNCTION_AND_METHOD = "function method"


class Primitive:
    """One operation, such as ``tanh``.

    `evaluate` takes and returns NumPy arrays. `node` is the name of the tape node, as PyTorch spells it, or a
    function from the options of a call to it.
    `promotes` determines the types it is computed in: "together" (operands share a type), "float" (integers become
    floating first), "both", or "" (the evaluation decides). `letters` names the differentiable arguments in
    rules, in order; "*" means any number of them. Where PyTorch has an overload for a number as the last argument,
    `has_scalar_overload`: that number is then no input of the node. `forms` and `operators` are the ways in which
    programs call it (see `operations`); a primitive without either is called by other operations only.
    """

    rule: Any = None  # a `rules.families.Rule`, and what `vmap` does to the operation: both given by `rules.install`
    batch: Any = None

    def __init__(
        self,
        name: str,
        evaluate: Callable[..., Array],
        *,
        node: str | Callable[[Options], str] | None = None,
        promotes: str = "",
        letters: str = "xyw",
        has_scalar_overload: bool = False,
        forms: str = "",
        operators: str = "",
    ) -> None:
        self.name = name
        self.evaluate = evaluate
        self.node = node or "".join(part.capitalize() for part in name.split("_")) + "Backward0"
        self.promotes = promotes
        self.joins = promotes in ("together", "both")
        self.floats = promotes in ("float", "both")
        self.letters = letters
        self.has_scalar_overload = has_scalar_overload
        self.forms, self.operators = forms, operators
        self._node_classes: dict[str, type[PrimitiveNode]] = {}

    def __call__(self, *args: Any, **options: Any) -> Any:
        # Options are never tensors to be differentiated, so arguments decide.
        for value in args:
            if isinstance(value, Tensor):
                return self.interpret(args, options)
        return self.evaluate(*args, **options)

    def interpret(self, args: tuple[Any, ...], options: Options) -> Tensor:
        """Carry out the operation on arguments with a Tensor among them."""
        now = state.now
        if now.levels:
            level = levels.highest((*args, *options.values()))
            if level is not None:
                return now.levels[level](self, args, options, level)  # type: ignore[no-any-return]
        try:
            result = Tensor.of(now.quietly(self.evaluate, *self.lowered(args), **options))
        except ValueError as error:
            shapes = [list(a.array.shape) for a in args if isinstance(a, Tensor)]
            raise RuntimeError(f"{self.name}: {error} (shapes {shapes})") from None
        if now.inference:
            # Marked, so that an error is raised later where a derivative would need its version.
            result.inference = True
        if now.grad:
            record(self, args, options, result)
        return result

    def lowered(self, args: Sequence[Any]) -> list[Any]:
        """The arrays and numbers that NumPy is to compute with, in the type that PyTorch would choose."""
        values = [a.array if isinstance(a, Tensor) else a for a in args]
        if not self.promotes or _are_floats_of_one_type(values):
            return values
        # A condition (as in `where`) takes no part in the promotion of the operands that it chooses from.
        fixed = 1 if self.letters.startswith("c") else 0
        return values[:fixed] + dtypes.promoted(values[fixed:], self.floats)

    def node_class(self, options: Options) -> type[PrimitiveNode]:
        """The class of a call's node: programs distinguish operations by the names of their nodes' types."""
        name = self.node if isinstance(self.node, str) else self.node(options)
        if name not in self._node_classes:
            self._node_classes[name] = type(name, (PrimitiveNode,), {"primitive": self})
        return self._node_classes[name]


class OfComplex(Primitive):
    """An operation that does nothing to real values: it returns them as they are, and there is nothing to record."""

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self.interpret((value,), {}) if value.array.dtype.kind == "c" else value
        is_complex = value.dtype.kind == "c" if hasattr(value, "dtype") else isinstance(value, complex)
        return self.evaluate(value) if is_complex else value


def _are_floats_of_one_type(values: Sequence[Any]) -> bool:
    """Whether nothing needs to be promoted: floating arrays of the same type, and Python numbers beside them."""
    common = None
    for value in values:
        kind = type(value)
        if kind is np.ndarray:
            dtype = value.dtype
            if dtype is not common:
                if common is not None or dtype.kind != "f":
                    return False
                common = dtype
        elif kind is not float and kind is not int:
            return False
    return common is not None


# --- recording ---------------------------------------------------------------------------------------------


def _raw_saved(letter: str) -> Any:
    """A property: what was saved under a letter, as it is kept; None if it was not needed.

    AttributeError if no rule names it, RuntimeError if it was freed.
    """

    def kept(node: PrimitiveNode) -> Any:
        if letter not in node.primitive.rule.names:
            raise AttributeError(f"{node.name()} never saves the value that rules call {letter}")
        if node.saved is None:
            raise RuntimeError(FREED.format(name=node.name()))
        return node.saved.get(letter)

    return property(kept)


def _saved(letter: str) -> Any:
    """The same, unpacked."""
    raw = _raw_saved(letter)

    def unpacked(node: PrimitiveNode) -> Any:
        kept = raw.fget(node)
        return kept.unpack(node) if isinstance(kept, SavedTensor) else kept

    return property(unpacked)


class PrimitiveNode(Node):
    """The node of a recorded primitive: the options of the call, and the saved values by their letters."""

    primitive: Primitive  # set by the subclass that each primitive has

    options: Options
    saved: dict[str, Any] | None

    def makes_new(self) -> bool:
        """Whether cotangents that come from here are held nowhere else."""
        return self.primitive.rule.multiplies and not self.posthooks

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Apply the VJP of each argument that has an edge."""
        g = cotangents[0]
        # The result was not used, so there is nothing to compute with.
        if g is None:
            return [None] * len(self.edges)
        try:
            return self.primitive.rule.vjp(g, self._values(recording), self.edges)  # type: ignore[no-any-return]
        except ValueError as error:  # NumPy's, about shapes
            raise RuntimeError(f"Function {self.name()} was given a gradient that does not fit: {error}") from None

    def _values(self, recording: bool) -> dict[str, Any]:
        """The options, and what was saved, by the names that rules have for them."""
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        values = self.options.copy()
        for letter, kept in self.saved.items():
            values[letter] = kept.unpack(self, recording) if type(kept) in _SAVED else kept
        return values

    def release(self) -> None:
        """Forget the saved values; a node that saved none, not even the numbers of an index, can be walked again."""
        if self.saved or (self.options and _holds_numbers(self.options, self.edges)):
            self.saved = None

    # What was saved, under PyTorch's names. Not by `__getattr__`, which would slow down every attribute of every node.
    _saved_self, _saved_other, _saved_exponent, _saved_result = map(_saved, "xyyz")
    _raw_saved_self, _raw_saved_other, _raw_saved_exponent, _raw_saved_result = map(_raw_saved, "xyyz")


_SAVED = (SavedTensor, SavedResult)


def _holds_numbers(options: Options, edges: Sequence[Edge | None]) -> bool:
    """Whether an option is an index or a mask made of numbers, which is kept as long as saved values are."""
    if options.get("accumulate") and not edges[1]:
        return False  # what was added to keeps its cotangent, wherever things were added
    index = options.get("index", options.get("mask"))
    return type(index) is np.ndarray or (type(index) is tuple and any(type(part) is np.ndarray for part in index))


def record(primitive: Primitive, args: Sequence[Any], options: Options, result: Tensor) -> None:
    """Put an operation on the tape as the history of `result`, if an argument requires grad and a rule exists."""
    histories = [a.edge() if isinstance(a, Tensor) else None for a in args]
    rule = primitive.rule
    if rule is None or not any(histories):
        return
    array = result.array
    # Integers and booleans have no derivative, also when they were computed from floats.
    if array.dtype.kind not in "fc":
        return
    edges = histories if rule.complete else [e if rule.differentiates(i) else None for i, e in enumerate(histories)]
    if primitive.has_scalar_overload and not isinstance(args[-1], Tensor):
        edges = edges[:-1]
    node = primitive.node_class(options)(edges, ((array.shape, array.dtype),))
    node.options = {**options, **rule.forms(args)} if rule.names_forms else options
    saved: dict[str, Any] = {}
    node.saved = saved
    for edge, formula in zip(edges, rule.formulas, strict=False):
        for letter, i in formula.saves if edge else ():
            if letter == "z":
                saved[letter] = SavedResult(result)
            elif letter not in saved:
                # A number, such as the 2 of `x * 2`, is kept as it is.
                saved[letter] = SavedTensor(args[i], histories[i]) if isinstance(args[i], Tensor) else args[i]
    result.history = node, 0
    if state.now.save_hooks:
        for letter, value in saved.items():
            if isinstance(value, SavedTensor):
                value.hooked(result if letter == "z" else value.tensor)
    announce(node)
