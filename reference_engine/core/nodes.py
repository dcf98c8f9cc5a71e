"""The node of a recorded primitive, and how it gets onto the tape.

`note` writes an operation down: which inputs want a cotangent, which form they have, and the values that the
rules of just those inputs name. What no rule names is not kept, so it may be changed in place without harm, and a
node that kept nothing can be walked any number of times. What there is to keep and to do, for a primitive and the
inputs that require grad, is settled once, in a `Plan`.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from . import dtypes
from .modes import Modes, state
from .primitive import Primitive
from .saved import FREED
from .tape import Edge, Form, Node, place_of_call, sequence
from .tensor import Tensor

Edges: TypeAlias = "Sequence[Edge | None]"

_new = object.__new__  # spares a call of the class, and of what it would initialise


class Plan:
    """What a rule comes to for one set of arguments that require grad (see `rules.rule`)."""

    letters: Sequence[str]  # what is saved
    keep: Callable[[Any, Any, Any], Sequence[Any]] | None  # (arguments, edges, result) to saved values, if any
    pull: Callable[[Any, Any, bool], Sequence[Any]]  # (node, cotangent, recording) to cotangents of the arguments
    makes_new: bool  # whether the cotangents are arrays that are nobody else's
    node_class: Any  # of the node; None if the options of the call decide
    names_forms: bool  # whether formulas name the forms of arguments
    gaps: bool  # whether the node's edges may be other than those of the arguments
    differentiates: Callable[[int], bool]

    def __init__(self, **what: Any) -> None:
        vars(self).update(what)

    def places(self, primitive: Primitive, args: Sequence[Any], edges: Edges) -> Edges:
        """The edges of the arguments that there is a derivative with respect to, None in place of the others."""
        if primitive.no_place and not isinstance(args[-1], Tensor):
            edges = edges[:-1]
        return [e if e is None or self.differentiates(i) else None for i, e in enumerate(edges)]


class PrimitiveNode(Node):
    """The node of a recorded primitive: the options of the call, and the saved values."""

    primitive: Primitive  # set by the subclass that each primitive has

    plan: Plan
    options: dict[str, Any]
    saved: Sequence[Any] | None

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Apply the reverse rule of each argument that somebody wants a cotangent for."""
        g = cotangents[0]
        # Nobody used the result: its rule would compute with nothing.
        if g is None:
            return [None] * len(self.edges)
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        try:
            return self.plan.pull(self, g, recording)
        except ValueError as error:  # NumPy's own, about shapes
            raise RuntimeError(f"Function {self.name()} was given a gradient that does not fit: {error}") from None

    def makes_new(self) -> bool:
        """Whether the cotangents that come from here are arrays that are nobody else's."""
        return self.plan.makes_new and self.posthooks is None

    def is_complex(self) -> bool:
        """Whether the result is complex."""
        return self.forms[0][1].kind == "c"

    def release(self) -> None:
        """Forget the saved values; a node that saved none, not even the numbers of an index, can be walked again."""
        if self.saved or (self.options and _holds_numbers(self.options, self.edges)):
            self.saved = None

    def shown(self, letter: str, unpacked: bool) -> Any:
        """What was saved under a letter, None if nobody needed it; AttributeError if no rule names it.

        RuntimeError if it was freed.
        """
        if letter not in self.primitive.rule.names:
            raise AttributeError(f"{self.name()} never saves the value that rules call {letter}")
        if self.saved is None:
            raise RuntimeError(FREED.format(name=self.name()))
        kept = self.kept(letter)
        return kept.unpack(self) if unpacked and kept is not None else kept

    def kept(self, letter: str) -> Any:
        """The saved value of a letter, packed as it is; None if there is none."""
        return self.saved[self.plan.letters.index(letter)] if self.saved and letter in self.plan.letters else None


_SAVED_NAMES = {"_saved_self": "x", "_saved_other": "y", "_saved_exponent": "y", "_saved_result": "z"}


def _holds_numbers(options: dict[str, Any], edges: Sequence[Any]) -> bool:
    """Whether an option is an index or a mask made of numbers, which is kept as long as saved values are."""
    if options.get("accumulate") and not edges[1]:
        return False  # what was added to keeps its cotangent, wherever things were added
    index = options.get("index", options.get("mask"))
    return type(index) is np.ndarray or (type(index) is tuple and any(type(part) is np.ndarray for part in index))


def _showing(letter: str, unpacked: bool) -> property:
    return property(lambda node: node.shown(letter, unpacked))


# Properties, one by one: a `__getattr__` would slow down every attribute of every node.
for _name, _letter in _SAVED_NAMES.items():
    setattr(PrimitiveNode, _name, _showing(_letter, True))
    setattr(PrimitiveNode, "_raw" + _name, _showing(_letter, False))


def note(primitive: Primitive, args: Sequence[Any], options: dict[str, Any], result: Tensor) -> Node | None:
    """Put an operation on the tape as the history of `result`, if an argument requires grad and a rule exists."""
    edges = [a.edge() if isinstance(a, Tensor) else None for a in args]
    requiring = tuple(map(bool, edges))
    return record(primitive, args, edges, requiring, options, result, state.now) if any(requiring) else None


def record(
    primitive: Primitive, args: Any, edges: Edges, requiring: Any, options: dict[str, Any], result: Tensor, now: Modes
) -> Node | None:
    """The same, for arguments with these edges; `requiring` says of each whether there is one, and some is."""
    rule, array = primitive.rule, result.array
    # Integers and booleans have no derivative, whatever they were computed from.
    if rule is None or array.dtype.kind not in "fc":
        return None
    plan = rule.plans[requiring]
    node = _new(plan.node_class or node_class(primitive, options))
    node.plan = plan
    node.edges = plan.places(primitive, args, edges) if plan.gaps else edges
    node.forms = ((array.shape, array.dtype),)
    node.options = {**options, **rule.forms([_form(a) for a in args])} if plan.names_forms else options
    node.saved = plan.keep(args, edges, result) if plan.keep else ()
    if now.save_hooks:
        for value in node.saved:
            value.pack(*now.save_hooks[-1])
    node.sequence = next(sequence)
    if now.anomaly:
        node.created_at = place_of_call()
    result.history = node, 0
    return node


def node_class(primitive: Primitive, options: dict[str, Any]) -> Any:
    """The class of a call's node: programs tell operations apart by the names of their nodes' types."""
    name = primitive.node if isinstance(primitive.node, str) else primitive.node(options)
    try:
        return primitive.node_classes[name]
    except KeyError:
        return primitive.node_classes.setdefault(name, type(name, (PrimitiveNode,), {"primitive": primitive}))


def _form(value: Any) -> Form:
    """The form of a tensor, an array or a Python number."""
    array = value.array if isinstance(value, Tensor) else value
    return Form(array.shape, array.dtype) if hasattr(array, "dtype") else Form((), dtypes.of_number(value).numpy)
