"""The verbs for functions called by a backward pass: with gradients, or with what operations keep for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["Hooks", "SavedTensors"]

Array = Any
Handle = Any


class Hooks(Protocol):
    """Functions called while a backward pass runs."""

    def register_hook(self, x: Array, hook: Callable[[Array], Any]) -> Handle:
        """Call `hook` with the gradient of `x`; what it returns, if anything, replaces that gradient."""

    def remove_hook(self, handle: Handle) -> None:
        """Undo a registration."""

    def register_post_accumulate_hook(self, x: Array, hook: Callable[[Array], None]) -> Handle:
        """Call `hook` with the leaf `x` after its gradient was accumulated."""

    def register_multi_hook(self, arrays: Sequence[Array], hook: Callable[[Any], None], mode: str = "all") -> Handle:
        """Call `hook` with the gradients of all `arrays` when they are there, or with the first (mode `any`)."""

    def register_node_hook(self, x: Array, hook: Callable[[Any, Any], Any]) -> Handle:
        """Call `hook(input_gradients, output_gradients)` after the node of `x` was run backward.

        That is the operation that made `x`; for a leaf it is the node that stores its gradient, while a graph has one.
        """

    def register_node_prehook(self, x: Array, hook: Callable[[Any], Any]) -> Handle:
        """Call `hook(output_gradients)` before it is."""

    def register_module_hook(self, module: Any, hook: Callable[[Any, Any, Any], Any]) -> Handle:
        """Call `hook(module, input_gradients, output_gradients)` when the gradients of a module's inputs are there."""

    def register_module_prehook(self, module: Any, hook: Callable[[Any, Any], Any]) -> Handle:
        """Call `hook(module, output_gradients)` when the gradients of a module's outputs are there."""


class SavedTensors(Protocol):
    """What an operation keeps for its backward."""

    def saved_tensors_hooks(
        self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> AbstractContextManager[Any]:
        """A scope in which `pack` is called with each value saved and `unpack` when it is needed again."""

    def register_saved_hooks(
        self, x: Array, name: str, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> None:
        """The same for one value: what the operation that made `x` saved under that name."""
