"""The verbs for hooks: on gradients, and on saved tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from conformance.protocol.types import Array, Arrays, Handle, Hook, Mode, Module

__all__ = ["Hooks", "SavedTensors"]


class Hooks(Protocol):
    """Hooks on gradients, called while a backward pass runs."""

    def register_hook(self, x: Array, hook: Hook) -> Handle:
        """Call `hook` with the gradient of `x`; what it returns, if anything, replaces that gradient."""

    def remove_hook(self, handle: Handle) -> None:
        """Remove a hook."""

    def register_post_accumulate_hook(self, x: Array, hook: Hook) -> Handle:
        """Call `hook` with the leaf `x` after its gradient was accumulated."""

    def register_multi_hook(self, arrays: Arrays, hook: Hook, mode: str = "all") -> Handle:
        """Call `hook` with the gradients of all `arrays` when all are computed, or with the first (mode `any`)."""

    def register_node_hook(self, x: Array, hook: Hook) -> Handle:
        """Call `hook(input_gradients, output_gradients)` after the node of `x` was run backward.

        That is the operation that made `x`; for a leaf it is the node that stores its gradient, if a graph holds it.
        """

    def register_node_prehook(self, x: Array, hook: Hook) -> Handle:
        """Call `hook(output_gradients)` before the node of `x` is run backward."""

    def register_module_hook(self, module: Module, hook: Hook, prepend: bool = False) -> Handle:
        """Call `hook(module, input_gradients, output_gradients)` when a module's input gradients are computed.

        After its other hooks of this kind, or before them with `prepend`.
        """

    def register_module_prehook(self, module: Module, hook: Hook, prepend: bool = False) -> Handle:
        """Call `hook(module, output_gradients)` when a module's output gradients are computed; `prepend` as above."""

    def node_creation_hook(self, hook: Hook) -> Mode:
        """A scope in which `hook` is called with each node when it is created."""

    def queue_callback_(self, callback: Callable[[], None]) -> None:
        """Within a backward pass: call `callback` after it."""


class SavedTensors(Protocol):
    """Hooks on what operations save for backward."""

    def saved_tensors_hooks(self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]) -> Mode:
        """A scope in which `pack` is called with each saved tensor, and `unpack` when it is used."""

    def register_saved_hooks(
        self, x: Array, name: str, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> None:
        """The same for a saved tensor of the node of `x`, by its name."""

    def save_on_cpu(self) -> Mode:
        """A scope in which saved tensors are kept on the CPU, by hooks of the engine."""

    def disable_saved_tensors_hooks(self, message: str) -> Mode:
        """A scope in which the use of `saved_tensors_hooks` raises an error with this message."""

    def allow_mutation_on_saved_tensors(self) -> Mode:
        """A scope in which a saved tensor can be modified in place: backward uses a copy of its former value."""
