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
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
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
        if state.now.save_hooks_disabled is not None:
            raise RuntimeError(state.now.save_hooks_disabled)
        state.now.save_hooks.append(self.pair)

    def __exit__(self, *error: object) -> None:
        state.now.save_hooks.pop()


class save_on_cpu(saved_tensors_hooks):
    """Keep copies of saved values in main memory (torch.autograd.graph.save_on_cpu)."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda value: value.clone(), lambda packed: packed)


class _Copy:
    """A saved value's contents at the time it was saved."""

    def __init__(self, value: Tensor) -> None:
        self.value: Tensor | None = value.clone()


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """In this block saved values may be changed in place: backward uses copies, made when they were saved.

    Backward must run in the block as well (RuntimeError otherwise); `clear()` of what the block gives frees the
    copies. RuntimeError if nested. Source: torch.autograd.graph.allow_mutation_on_saved_tensors.
    """

    def __init__(self) -> None:
        super().__init__(self._copy, self._copied)
        self.copies: weakref.WeakSet[_Copy] = weakref.WeakSet()
        self.open = False

    def _copy(self, value: Tensor) -> _Copy:
        copy = _Copy(value)
        self.copies.add(copy)
        return copy

    def _copied(self, copy: _Copy) -> Tensor:
        if not self.open or copy.value is None:
            raise RuntimeError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was "
                "originally recorded, or after its clear(): call backward inside the block"
            )
        return copy.value

    def __enter__(self) -> Any:
        owners = [getattr(unpack, "__self__", None) for _, unpack in state.now.save_hooks]
        if any(isinstance(owner, allow_mutation_on_saved_tensors) for owner in owners):
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()
        self.open = True
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.open = False
        self.clear()

    def clear(self) -> None:
        """Free the copies."""
        for copy in self.copies:
            copy.value = None


class disable_saved_tensors_hooks:
    """In this block, refuse saved-tensor hooks with the given message (graph.disable_saved_tensors_hooks)."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message

    def __enter__(self) -> None:
        if state.now.save_hooks:
            raise RuntimeError(self.message)
        self.before, state.now.save_hooks_disabled = state.now.save_hooks_disabled, self.message

    def __exit__(self, *error: object) -> None:
        state.now.save_hooks_disabled = self.before


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where cotangents of a tensor go; usable in its place in `grad` (torch.autograd.graph.get_gradient_edge)."""
    edge = tensor.edge()
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*edge)


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
