"""The tape: what is written down while a program runs forward.

Every recorded operation becomes a `Node` that knows its inputs' nodes (`edges`) and how to turn a cotangent of its
outputs into cotangents of its inputs (`pullback`). The tape is this graph; no list of it exists, so it lives exactly as
long as some result does. A leaf appears on it as `AccumulateGrad`, where cotangents end.

Nodes are numbered in order of creation. The engine uses the numbers to run backward in reverse order
(notes/autograd, How autograd encodes the history).

What a node keeps for its pullback are saved values. Saving a tensor notes its version; unpacking compares: a value that
an in-place operation changed after it was saved would give a wrong gradient, so that raises an error (notes/autograd,
In-place correctness checks). Pairs of pack and unpack hooks may put something else in a value's place.
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from . import hooks, warn
from .aliases import Array, Shape
from .modes import state

# Every other number: a leaf's accumulator takes its turn between two nodes.
sequence = itertools.count(0, 2)
_NOT_YET = 2**63

_OF_THE_ENGINE = ("AccumulateGrad", "CopyBackwards", "CopySlices")  # nodes that belong to no operator


class Traced:
    """A value whose operations may be recorded. `Tensor` is the only subclass; the tape need not import it."""

    array: Array
    version: Any


class Form(NamedTuple):
    """The shape and NumPy dtype of a value: all that a linear rule needs to know about its input."""

    shape: Shape
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
        """The nodes that this one sends cotangents to, with output numbers; (None, 0) where none is needed."""
        return tuple(edge or (None, 0) for edge in self.edges)

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Turn cotangents of the outputs into cotangents of the inputs, for each edge (None: no contribution).

        Cotangents are Tensors when `recording`, plain arrays otherwise.
        """
        raise NotImplementedError

    def makes_new(self) -> bool:
        """Whether what `pullback` returns are arrays that are held nowhere else."""
        return False

    def release(self) -> None:
        """Forget saved values; a later pullback that needs them raises an error."""

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
        """The tensor hooks that run on the cotangent of an output, made on first use."""
        self.tensor_hooks = self.tensor_hooks or {}
        return self.tensor_hooks.setdefault(output, {})


def announce(node: Node) -> None:
    """Call the creation hooks of this thread with a node that is complete; they may not create another."""
    now = state.now
    if not now.creation_hooks:
        return
    table, now.creation_hooks = now.creation_hooks, (_no_more,)
    try:
        for hook in table:
            hook(node)
    finally:
        now.creation_hooks = table


def _no_more(node: Node) -> None:
    raise RuntimeError(f"A node creation hook must not create a node, but created {node.name()}: only look at its own")


def place_of_call() -> str:
    """The stack down to the program's call of an operation. It costs far more than the operation itself."""
    return "".join(f for f in traceback.format_stack() if warn.ENGINE not in f)


class AccumulateGrad(Node):
    """Where cotangents of a leaf end: they are added into its ``.grad``."""

    def __init__(self, leaf: Any) -> None:
        super().__init__((), [leaf.gradient_form])
        self.variable = leaf
        # Its turn comes with its last cotangent, which is for the engine to find out.
        self.sequence = _NOT_YET
        self.tensor_hooks = {0: leaf.leaf_hooks}

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        """Add the cotangent into the leaf's gradient, then run the post-accumulate hooks."""
        if cotangents[0] is not None and self.variable._requires_grad:
            self.variable.accumulate(cotangents[0])
        return ()


PackHook = Callable[[Any], Any]
HookPair = tuple[PackHook, Callable[[Any], Any]]

FREED = (
    "Trying to backward through the graph a second time: {name} has already given up the values that it saved, "
    "because backward() or autograd.grad() frees them as it goes. Say retain_graph=True in the earlier call if the "
    "graph is needed again, or run the forward computation anew."
)
_MODIFIED = (
    "one of the variables needed for gradient computation has been modified by an inplace operation: "
    "{what} of shape {shape}, saved by {name}, is at version {now}; expected version {then} instead. "
    "Use the out-of-place form of the operation, or clone() the tensor before changing it. "
    "torch.autograd.set_detect_anomaly(True) shows where the operation that saved it was called."
)
_INFERENCE = (
    "Inference tensors cannot be saved for backward: a tensor made in inference mode has no version counter. "
    "Make a normal tensor of it with clone(), or use torch.no_grad() in place of torch.inference_mode()."
)


class SavedTensor:
    """An input of an operation, as its node keeps it, with the edge that is its history at that time."""

    __slots__ = ("at", "edge", "hooks", "output", "packed", "tensor")

    what = "a tensor"

    def __init__(self, tensor: Any, edge: Edge | None) -> None:
        if tensor.inference:
            raise RuntimeError(_INFERENCE)
        self.tensor = tensor  # None once hooks have packed it
        self.at = tensor.version.value
        self.edge = edge
        self.output: int | None = None  # for a result: which output of its node it is
        self.hooks: HookPair | None = None

    def hooked(self, live: Any) -> SavedTensor:
        """This value, packed by the hooks that are in force in this thread, if there are any.

        They are given `live`, the tensor with its history, and should detach what they keep.
        """
        if state.now.save_hooks:
            self._pack(live, state.now.save_hooks[-1])
        return self

    def register_hooks(self, pack_hook: PackHook, unpack_hook: Callable[[Any], Any]) -> None:
        """Keep `pack_hook(value)` in the value's place (notes/autograd, Hooks for saved tensors).

        `unpack_hook` of it must give the value back.
        """
        if self.hooks is not None:
            raise RuntimeError("Saved tensor hooks have already been registered for this value; register one pair")
        # Without history: what a hook keeps must not keep the graph.
        self._pack(self.tensor.twin(), (pack_hook, unpack_hook))

    def _pack(self, given: Any, pair: HookPair) -> None:
        self.packed, self.hooks = pair[0](given), pair
        if given.version.value != self.at:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
                "can not be modified by in-place operations: return a changed copy instead."
            )
        # A packed value's memory is the hook's affair, and so are later changes to the original.
        self.tensor = None

    def unpack(self, node: Any, as_tensor: bool = True) -> Any:
        """The value, checked to be the one saved: as a Tensor with its history, or else its numbers."""
        if self.hooks is not None:
            tensor = self._unpacked_by_hook()
        else:
            tensor = self.tensor
            if tensor.version.value != self.at:
                self.check(node)
        if not as_tensor:
            return tensor.array
        # An in-place operation may have given the tensor a new history; the derivative is that of the old history.
        edge = self.edge if self.output is None else (node, self.output)
        keeps = edge is None if self.hooks else edge == tensor.edge()
        return tensor if keeps else tensor.twin(edge)

    def _unpacked_by_hook(self) -> Any:
        assert self.hooks is not None
        value = self.hooks[1](self.packed)
        if not isinstance(value, Traced):
            raise TypeError(f"the unpack hook must return a Tensor, but returned {type(value).__name__}")
        return value

    def check(self, node: Node) -> None:
        """RuntimeError for a value that was changed in place since it was saved."""
        now, shape = self.tensor.version.value, list(self.tensor.array.shape)
        raise RuntimeError(_MODIFIED.format(what=self.what, shape=shape, name=node.name(), now=now, then=self.at))


class SavedResult(SavedTensor):
    """The result of an operation, kept without its history, which is given back when it is unpacked."""

    __slots__ = ()

    what = "a result"

    def __init__(self, tensor: Any, output: int = 0) -> None:
        # A twin, which has no history: with its history the result would hold its own node, a reference cycle.
        super().__init__(tensor.twin(), None)
        self.output = output

    def moved_to(self, tensor: Any) -> None:
        """The operation was done in place: its result is now the contents of `tensor`."""
        if self.hooks is None:
            self.tensor, self.at = tensor.twin(), tensor.version.value
