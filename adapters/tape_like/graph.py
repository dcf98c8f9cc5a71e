"""The graph behind a value, and functions called while it is walked."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

from adapters.tape_like.base import Base
from conformance.protocol import Namespace, same
from conformance.protocol.types import Array, Arrays, Edge, Handle, Hook, Mode, Module, Node

YOUNG = same("torch.autograd.graph", "node_creation_hook queue_callback")  # since PyTorch 2.15


class GraphVerbs(Base):
    """The group Graph of the protocol."""

    def grad_fn_name(self, x: Array) -> str | None:
        return None if x.grad_fn is None else x.grad_fn.name().rpartition("::")[2]  # C++ may put a namespace in front

    def next_names(self, x: Array) -> tuple[str, ...]:
        return tuple(node.name().rpartition("::")[2] for node, _ in x.grad_fn.next_functions if node is not None)

    def survives(self, make: Callable[[], Array]) -> bool:
        # The collector of cycles could free the array at any moment, though references keep it alive.
        gc.disable()
        try:
            # Without a name for the array: only a reference cycle can keep it alive here.
            return weakref.ref(make())() is not None
        finally:
            gc.enable()

    def same_grad_fn(self, x: Array, y: Array) -> bool:
        # The first is alive while the second is made: for the same node, PyTorch then returns the same object.
        return x.grad_fn is y.grad_fn

    def output_nr(self, x: Array) -> int:
        return int(x.output_nr)

    def next_nodes(self, x: Array) -> tuple[Node | None, ...]:
        return tuple(node for node, _ in x.grad_fn.next_functions)

    def next_functions(self, x: Array) -> tuple[tuple[str | None, int], ...]:
        # Nodes by name, so that checks can compare them across engines.
        edges = x.grad_fn.next_functions
        return tuple((node and node.name().rpartition("::")[2], number) for node, number in edges)

    def next_leaf(self, x: Array, edge: int = 0) -> Array:
        # Only AccumulateGrad, the node of a leaf, has `variable`.
        return x.grad_fn.next_functions[edge][0].variable

    def saved_value(self, x: Array, name: str) -> Any:
        return getattr(x.grad_fn, f"_saved_{name}")

    def gradient_edge(self, x: Array) -> Edge:
        return self.torch.autograd.graph.get_gradient_edge(x)


class HookVerbs(Base):
    """The groups Hooks, but for those of leaves, and SavedTensors of the protocol."""

    def register_hook(self, x: Array, hook: Hook) -> Handle:
        return x.register_hook(hook)

    def remove_hook(self, handle: Handle) -> None:
        handle.remove()

    def register_multi_hook(self, arrays: Arrays, hook: Hook, mode: str = "all") -> Handle:
        return self.torch.autograd.graph.register_multi_grad_hook(arrays, hook, mode=mode)

    # get_gradient_edge, and not grad_fn: a leaf has no grad_fn, but a node that accumulates its gradient.
    def register_node_hook(self, x: Array, hook: Hook) -> Handle:
        return self.torch.autograd.graph.get_gradient_edge(x).node.register_hook(hook)

    def register_node_prehook(self, x: Array, hook: Hook) -> Handle:
        return self.torch.autograd.graph.get_gradient_edge(x).node.register_prehook(hook)

    def register_module_hook(self, module: Module, hook: Hook, prepend: bool = False) -> Handle:
        return module.register_full_backward_hook(hook, prepend=prepend)

    def register_module_prehook(self, module: Module, hook: Hook, prepend: bool = False) -> Handle:
        return module.register_full_backward_pre_hook(hook, prepend=prepend)

    def node_creation_hook(self, hook: Hook) -> Mode:
        return Namespace(self.torch, YOUNG).node_creation_hook(hook)

    def queue_callback_(self, callback: Callable[[], None]) -> None:
        Namespace(self.torch, YOUNG).queue_callback(callback)

    def saved_tensors_hooks(self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]) -> Mode:
        return self.torch.autograd.graph.saved_tensors_hooks(pack, unpack)

    def register_saved_hooks(
        self, x: Array, name: str, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> None:
        # Raw: `_saved_` would unpack the value, and there would be nothing to hook.
        getattr(x.grad_fn, f"_raw_saved_{name}").register_hooks(pack, unpack)

    def save_on_cpu(self) -> Mode:
        return self.torch.autograd.graph.save_on_cpu()

    def disable_saved_tensors_hooks(self, message: str) -> Mode:
        return self.torch.autograd.graph.disable_saved_tensors_hooks(message)

    def allow_mutation_on_saved_tensors(self) -> Mode:
        return self.torch.autograd.graph.allow_mutation_on_saved_tensors()
