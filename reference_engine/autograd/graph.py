"""torch.autograd.graph: hooks on saved values, hooks on several tensors, and the graph's nodes and edges."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ..core.modes import no_grad
from ..core.saved import defaults
from ..core.tape import Edge as GradientEdge
from ..core.tape import Node
from ..core.tensor import Tensor

__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class saved_tensors_hooks:
    """In this block, keep ``pack(value)`` in place of each saved value, and ``unpack`` it when backward needs it.

    RuntimeError where hooks are disabled. Source: torch.autograd.graph.saved_tensors_hooks.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pair = no_grad()(lambda value: pack_hook(value)), unpack_hook

    def __enter__(self) -> None:
        if defaults.disabled is not None:
            raise RuntimeError(defaults.disabled)
        defaults.pairs.append(self.pair)

    def __exit__(self, *error: object) -> None:
        defaults.pairs.pop()


class save_on_cpu(saved_tensors_hooks):
    """Keep copies of saved values in main memory (torch.autograd.graph.save_on_cpu)."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda value: value.clone(), lambda packed: packed)


class disable_saved_tensors_hooks:
    """In this block, refuse saved-tensor hooks with the given message (graph.disable_saved_tensors_hooks)."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message

    def __enter__(self) -> None:
        if defaults.pairs:
            raise RuntimeError(self.message)
        self.before, defaults.disabled = defaults.disabled, self.message

    def __exit__(self, *error: object) -> None:
        defaults.disabled = self.before


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where cotangents of a tensor go; usable in its place in `grad` (torch.autograd.graph.get_gradient_edge)."""
    edge = tensor.edge()
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return edge


def increment_version(tensor: Any) -> None:
    """Declare that a tensor's memory was changed where autograd could not see (graph.increment_version)."""
    for x in tensor if isinstance(tensor, (list, tuple)) else (tensor,):
        x.version.value += 1


class _Handles:
    """A removable hook that hangs on several tensors."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Take the hook off all of them."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _Handles:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all") -> _Handles:
    """Call `fn` once per backward: with all gradients when the last is there, or with the first ("any").

    The hook of mode "all" fires when every one of the tensors has received its gradient, and not before.
    Source: torch.autograd.graph.register_multi_grad_hook.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"mode must be 'all' or 'any', but got {mode!r}")
    lock = threading.Lock()
    arrived: dict[int, Tensor] = {}

    def arrive(index: int, gradient: Tensor) -> None:
        with lock:
            first, arrived[index] = not arrived, gradient
            complete = len(arrived) == len(tensors)
            gradients = [arrived.get(i) for i in range(len(tensors))]
            if complete:
                arrived.clear()
        if mode == "any" and first:
            fn(gradient)
        if mode == "all" and complete:
            fn(gradients)

    return _Handles([t.register_hook(functools.partial(arrive, i)) for i, t in enumerate(tensors)])
