"""torch.autograd.graph: hooks on saved values, hooks on several tensors, and the graph's nodes and edges."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ..core import engine
from ..core.modes import no_grad, state
from ..core.tape import Node
from ..core.tensor import Tensor
from .gradients import GradientEdge

__all__ = [
    "GradientEdge", "Node", "get_gradient_edge", "register_multi_grad_hook", "saved_tensors_hooks",
]  # fmt: skip


class saved_tensors_hooks:
    """In this block, keep ``pack(value)`` in place of each saved value, and ``unpack`` it when backward needs it.

    Source: torch.autograd.graph.saved_tensors_hooks.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pair = no_grad()(lambda value: pack_hook(value)), unpack_hook

    def __enter__(self) -> None:
        state.now.save_hooks.append(self.pair)

    def __exit__(self, *error: object) -> None:
        state.now.save_hooks.pop()


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where cotangents of a tensor go; usable in its place in `grad` (torch.autograd.graph.get_gradient_edge)."""
    edge = tensor.edge()
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*edge)


class _Handles:
    """A removable hook that hangs on several tensors."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Take the hook off all of them."""
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all") -> _Handles:
    """Call `fn` once per backward: with all gradients when the last is there, or with the first ("any").

    "All" does not wait for tensors that the backward does not reach: `fn` gets None in their places.
    Source: torch.autograd.graph.register_multi_grad_hook.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"mode must be 'all' or 'any', but got {mode!r}")
    lock = threading.Lock()
    edges = [get_gradient_edge(t) for t in tensors]
    arrived: weakref.WeakKeyDictionary[engine.Pass, dict[int, Tensor]] = weakref.WeakKeyDictionary()

    def arrive(index: int, gradient: Tensor) -> None:
        this = engine.innermost()
        assert this is not None, "a tensor hook runs in a backward pass"
        with lock:
            gradients = arrived.setdefault(this, {})
            gradients[index] = gradient
        if mode == "any" and len(gradients) == 1:
            fn(gradient)
        if mode == "all" and len(gradients) == sum(this.reaches(edge) for edge in edges):
            fn([gradients.get(i) for i in range(len(edges))])

    return _Handles([t.register_hook(functools.partial(arrive, i)) for i, t in enumerate(tensors)])
