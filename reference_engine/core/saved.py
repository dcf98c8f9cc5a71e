"""Saved values: what a node keeps for its pullback, and how it notices that they were changed meanwhile.

Saving a tensor notes its version. Unpacking compares: a value that an in-place operation changed after it was
saved would give a wrong gradient, so it is refused (notes/autograd, In-place correctness checks). Writing through
``.data`` bypasses the check, because ``.data`` has a version counter of its own.

A result is saved without its history, since its history *is* the node that saves it (notes/autograd, Saved
tensors): a node that held its own output would never be freed without the garbage collector.

Pairs of pack and unpack hooks may put something else in a value's place, such as a copy on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .modes import state
from .tape import Edge
from .tensor import Tensor

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

    __slots__ = ("at", "edge", "hooks", "packed", "tensor")

    what = "a tensor"
    tensor: Tensor | None
    hooks: HookPair | None
    packed: Any

    def __init__(self, tensor: Tensor, edge: Edge | None) -> None:
        if tensor.inference:
            raise RuntimeError(_INFERENCE)
        self.tensor = tensor
        self.at = tensor.version.value
        self.edge = edge
        self.hooks = None

    def hooked(self) -> SavedTensor:
        """This value, packed by the hooks that are in force in this thread, if there are any."""
        hooks = state.now.save_hooks
        if hooks:
            self.pack(*hooks[-1])
        return self

    def pack(self, pack: PackHook, unpack: Callable[[Any], Any]) -> None:
        """Keep `pack(value)` in the value's place; `unpack` of it must give the value back."""
        if self.hooks is not None:
            raise RuntimeError("Saved tensor hooks have already been registered for this value; register one pair")
        assert self.tensor is not None
        # A leaf as it is, for the hook may know it; else without history: what a hook keeps must not keep the graph.
        given = self.tensor if self.tensor.is_leaf else self.tensor.twin()
        self.packed, self.hooks = pack(given), (pack, unpack)
        if given.version.value != self.at:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
                "can not be modified by in-place operations: return a changed copy instead."
            )
        # A packed value's memory is the hook's affair, and so are later changes to the original.
        self.tensor = None

    def register_hooks(self, pack_hook: PackHook, unpack_hook: Callable[[Any], Any]) -> None:
        """Hooks for this one value, in place of those of a block (notes/autograd, Hooks for saved tensors)."""
        self.pack(pack_hook, unpack_hook)

    def unpack(self, node: Any) -> Tensor:
        """The value with its history, checked to be the one saved."""
        if self.hooks is not None:
            return self._unpacked_by_hook()
        tensor = self.tensor
        assert tensor is not None
        if tensor.version.value != self.at:
            self.check(node.name())
        # An in-place operation gives a tensor a new history; the derivative is that of the old one.
        if tensor.requires_grad and tensor.edge() != self.edge:
            return tensor.twin(self.edge)
        return tensor

    def array(self, node: Any) -> Any:
        """The value's numbers only, checked to be the ones saved."""
        if self.hooks is not None:
            return self._unpacked_by_hook().array
        tensor: Any = self.tensor
        if tensor.version.value != self.at:
            self.check(node.name())
        return tensor.array

    def check(self, name: str) -> None:
        """Refuse (RuntimeError) a value that was changed in place since it was saved."""
        assert self.tensor is not None
        now = self.tensor.version.value
        if now != self.at:
            shape = list(self.tensor.array.shape)
            raise RuntimeError(_MODIFIED.format(what=self.what, shape=shape, name=name, now=now, then=self.at))

    def _unpacked_by_hook(self) -> Tensor:
        assert self.hooks is not None
        value = self.hooks[1](self.packed)
        if not isinstance(value, Tensor):
            raise TypeError(f"the unpack hook must return a Tensor, but returned {type(value).__name__}")
        return value if self.edge is None else value.twin(self.edge)


class SavedResult(SavedTensor):
    """The result of an operation, kept without its history."""

    __slots__ = ("output",)

    what = "a result"

    def __init__(self, tensor: Tensor, output: int = 0) -> None:
        # A twin, which has no history: with its history the result would hold its own node.
        super().__init__(tensor.twin(), None)
        self.output = output

    def moved_to(self, tensor: Tensor) -> None:
        """The operation was done in place: its result is now the contents of `tensor`."""
        if self.hooks is None:
            self.tensor, self.at = tensor.twin(), tensor.version.value

    def unpack(self, node: Any) -> Tensor:
        """The result, with this very node as its history again."""
        value = super().unpack(node)
        return value.twin((node, self.output))


class Constant:
    """A saved value that is no tensor, such as the 2 of ``x * 2``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def array(self, node: Any) -> Any:
        """The value, for a pullback on plain arrays."""
        return self.value

    unpack = array

    def pack(self, pack: Any, unpack: Any) -> None:
        """Hooks are for tensors."""
