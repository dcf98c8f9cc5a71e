"""torch.autograd.graph: hooks on saved values, hooks on several tensors, and the graph's nodes and edges."""

from __future__ import annotations

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .. import primitives as o
from ..core import engine
from ..core.modes import no_grad, state
from ..core.tape import Node
from ..core.tensor import Tensor
from .gradients import GradientEdge

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "node_creation_hook", "queue_callback", "register_multi_grad_hook", "save_on_cpu",
    "saved_tensors_hooks",
]  # fmt: skip


class saved_tensors_hooks:
    """In this block, keep ``pack(value)`` in place of each saved value, and ``unpack`` it when backward needs it.

    Source: torch.autograd.graph.saved_tensors_hooks.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        # Packing is no part of the program: what it computes must not be recorded.
        self.pair = no_grad()(lambda value: pack_hook(value)), unpack_hook

    def __enter__(self) -> None:
        if state.now.no_save_hooks is not None:
            raise RuntimeError(state.now.no_save_hooks)
        state.now.save_hooks.append(self.pair)

    def __exit__(self, *error: object) -> None:
        state.now.save_hooks.pop()


def _detached(value: Tensor) -> Tensor:
    return value.alias()


class save_on_cpu(saved_tensors_hooks):
    """Keep saved values on the CPU, where this engine's are already (torch.autograd.graph.save_on_cpu)."""

    def __init__(self, pin_memory: bool = False) -> None:
        super().__init__(_detached, _detached)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """In this block, backward uses saved values as they were, though they were changed in place since.

    Here each is copied when it is saved. Source: torch.autograd.graph.allow_mutation_on_saved_tensors.
    """

    def __init__(self) -> None:
        super().__init__(o.clone, _detached)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, entering `saved_tensors_hooks` raises RuntimeError (graph.disable_saved_tensors_hooks)."""
    # Hooks that are in force already would go on being called, so this is an error.
    before = state.now.no_save_hooks
    if state.now.save_hooks:
        raise RuntimeError(error_message)
    state.now.no_save_hooks = error_message
    try:
        yield
    finally:
        state.now.no_save_hooks = before


@contextlib.contextmanager
def node_creation_hook(hook: Callable[[Node], None]) -> Iterator[None]:
    """In this block, call `hook(node)` with each new node, outer hooks first (graph.node_creation_hook)."""
    # A new tuple, so that hooks are not added while `announce` goes through the old.
    before = state.now.creation_hooks
    state.now.creation_hooks = (*before, hook)
    try:
        yield
    finally:
        state.now.creation_hooks = before


def queue_callback(callback: Callable[[], None]) -> None:
    """Call `callback()` after the backward pass under way, if it raises no error (graph.queue_callback)."""
    this = engine.innermost()
    # Outside of a pass there is nothing to come after.
    if this is None:
        raise RuntimeError("queue_callback must be called during a backward pass, as from a hook")
    this.callbacks.append(callback)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count an unseen change of the memory of a tensor, or of each of several (graph.increment_version)."""
    for changed in (tensor,) if isinstance(tensor, Tensor) else tensor:
        # A tensor of inference mode has no version that anything would compare.
        if not changed.inference:
            changed.version.value += 1


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
    # By pass, because two threads may run backward at a time; weakly, because a pass that failed never completes.
    arrived: weakref.WeakKeyDictionary[engine.Pass, dict[int, Tensor]] = weakref.WeakKeyDictionary()

    def arrive(index: int, gradient: Tensor) -> None:
        this = engine.innermost()
        assert this is not None, "a tensor hook runs in a backward pass"
        with lock:
            gradients = arrived.setdefault(this, {})
            gradients[index] = gradient
        # Outside of the lock, as the hook may run a backward pass itself.
        if mode == "any" and len(gradients) == 1:
            fn(gradient)
        if mode == "all" and len(gradients) == sum(this.reaches(edge) for edge in edges):
            fn([gradients.get(i) for i in range(len(edges))])

    return _Handles([t.register_hook(functools.partial(arrive, i)) for i, t in enumerate(tensors)])
