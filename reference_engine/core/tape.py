"""The tape: what is written down while a program runs forward.

Every recorded operation becomes a `Node` that knows its inputs' nodes (`edges`) and how to pull a cotangent of
its outputs back to cotangents of its inputs (`pullback`). The tape is this graph; nobody holds a list of it, so
it lives exactly as long as some result does. A leaf appears on it as `AccumulateGrad`, where cotangents end.

Nodes are numbered in order of creation. The engine uses the numbers to run backward in reverse order
(notes/autograd, How autograd encodes the history).
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from .. import primitives as o
from . import hooks, warn
from .modes import state
from .primitive import Traced

# Every other number: a leaf's accumulator takes its turn between two nodes.
sequence = itertools.count(0, 2)
_NOT_YET = 2**63


_OF_THE_ENGINE = ("AccumulateGrad", "CopyBackwards", "CopySlices")  # nodes that belong to no operator


class Form(NamedTuple):
    """The shape and NumPy dtype of a value: all that a linear rule needs to know about its input."""

    shape: tuple[int, ...]
    dtype: Any

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)


Edge: TypeAlias = "tuple[Node, int]"
"""Where a cotangent goes next: a node, and which of the node's outputs it belongs to."""


class Node:
    """One step of backward. Subclasses define `pullback`; this class keeps the graph and the hooks."""

    forms: Sequence[Any]  # shape and NumPy dtype of each output, and so of its cotangent
    # Class attributes are defaults: most nodes never have hooks, and pay nothing for the possibility.
    prehooks: hooks.HookTable | None = None
    posthooks: hooks.HookTable | None = None
    tensor_hooks: dict[int, hooks.HookTable] | None = None
    retained: dict[int, Callable[[], Any]] | None = None
    created_at: str | None = None
    metadata_: dict[str, Any] | None = None

    def __init__(self, edges: Sequence[Edge | None], forms: Sequence[Any] = ()) -> None:
        self.edges = edges
        self.forms = forms
        self.sequence = next(sequence)
        if state.now.anomaly:
            self.created_at = place_of_call()

    def name(self) -> str:
        """The operation's name as PyTorch spells it, such as MulBackward0 (torch.autograd.graph.Node.name)."""
        name = type(self).__name__
        return f"torch::autograd::{name}" if name in _OF_THE_ENGINE else name

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that this one sends cotangents to, with output numbers; (None, 0) where nobody needs one."""
        return tuple(edge or (None, 0) for edge in self.edges)

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for the program's own notes on this node (torch.autograd.graph.Node.metadata)."""
        if self.metadata_ is None:
            self.metadata_ = {}
        return self.metadata_

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Turn cotangents of the outputs into cotangents of the inputs, one per edge (None: no contribution).

        Cotangents are Tensors when `recording`, plain arrays otherwise.
        """
        raise NotImplementedError

    def makes_new(self) -> bool:
        """Whether what `pullback` returns are arrays that are nobody else's."""
        return False

    def release(self) -> None:
        """Forget saved values; a later pullback that needs them is refused."""

    def register_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after this node; it may return other grad_inputs.

        Both are tuples of Tensors or None (torch.autograd.graph.Node.register_hook).
        """
        self.posthooks = self.posthooks or {}
        return hooks.register(self.posthooks, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call `hook(grad_outputs)` before this node; it may return others (graph.Node.register_prehook)."""
        self.prehooks = self.prehooks or {}
        return hooks.register(self.prehooks, hook)

    def hooks_of_output(self, output: int) -> hooks.HookTable:
        """The tensor hooks that run on the cotangent of one output, made on first use."""
        self.tensor_hooks = self.tensor_hooks or {}
        return self.tensor_hooks.setdefault(output, {})


def place_of_call() -> str:
    """The stack down to the program's call of an operation. It costs far more than the operation itself."""
    return "".join(f for f in traceback.format_stack() if warn.ENGINE not in f)


class AccumulateGrad(Node):
    """Where cotangents of a leaf end: they are added into its ``.grad``."""

    def __init__(self, leaf: Any) -> None:
        super().__init__((), [leaf.form])
        self.variable = leaf
        # Its turn comes with its last cotangent, which is for the engine to find out.
        self.sequence = _NOT_YET
        self.tensor_hooks = {0: leaf.leaf_hooks}

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Add the cotangent into the leaf's gradient, then run the post-accumulate hooks."""
        if cotangents[0] is not None and self.variable._requires_grad:
            self.variable.accumulate(cotangents[0])
        return ()


def conform(g: Any, form: tuple[Any, Any]) -> Any:
    """Give a cotangent the form of its primal: sum what was broadcast, drop what a real primal cannot have, cast.

    Serves arrays and Tensors. RuntimeError if the shapes cannot have come from broadcasting.
    """
    shape, dtype = form
    array = g.array if isinstance(g, Traced) else g
    if array.shape == shape and array.dtype == dtype:
        return g
    if array.shape != shape:
        g = _unbroadcast(g, array.shape, shape)
    if array.dtype.kind == "c" and dtype.kind != "c":
        # A real value cannot move in the imaginary direction, whatever the rule says of it.
        g = o.real(g)
    return g if array.dtype == dtype else o.cast(g, dtype=dtype)


def _unbroadcast(g: Any, shape: tuple[int, ...], wanted: tuple[int, ...]) -> Any:
    """Sum over the dimensions along which the primal was repeated; repeat where the cotangent is smaller."""
    extra = len(shape) - len(wanted)
    fits = extra >= 0 and all(b in (1, a) for a, b in zip(shape[extra:], wanted, strict=False))
    if not fits:
        raise RuntimeError(f"got a gradient of shape {list(shape)}, expected shape compatible with {list(wanted)}")
    repeated = tuple(i for i in range(len(shape)) if i < extra or shape[i] != wanted[i - extra])
    # Every copy of a repeated element passes on its share: the adjoint of repeating is summing.
    return o.reshape(o.sum(g, dim=repeated, keepdim=False), shape=wanted)
