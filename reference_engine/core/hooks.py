"""Removable functions that a program hangs onto tensors and nodes (notes/autograd, Backward Hooks execution)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

HookTable = dict[int, Callable[..., Any]]
# Never used again, so that removing a hook twice cannot remove another hook.
_ids = itertools.count()


class RemovableHandle:
    """The handle of a registered hook: `remove()` takes the hook off again."""

    def __init__(self, table: HookTable) -> None:
        self.id = next(_ids)
        self._table = table

    def remove(self) -> None:
        """Take the hook off; harmless if it is off already (torch.utils.hooks.RemovableHandle)."""
        self._table.pop(self.id, None)


def register(table: HookTable, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
    """Add a hook after those already in the table, or before them; TypeError unless it can be called."""
    if not callable(hook):
        raise TypeError(f"a hook must be a function, but got {type(hook).__name__}")
    handle = RemovableHandle(table)
    earlier = dict(table)
    table[handle.id] = hook
    if prepend:
        # A table is called in the order of its entries.
        for key in earlier:
            table[key] = table.pop(key)
    return handle


def register_hook(tensor: Any, hook: Callable[[Any], Any]) -> RemovableHandle:
    """Call `hook(gradient)` when this tensor's gradient is computed; it may return another in its place.

    RuntimeError if the tensor does not require grad. Source: torch.Tensor.register_hook.
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "cannot register a hook on a tensor that doesn't require gradient: call requires_grad_() on it first"
        )
    node = tensor.grad_fn
    # A leaf's hooks outlive any graph, so they hang on the leaf itself.
    return register(tensor.leaf_hooks if node is None else node.hooks_of_output(tensor.output_nr), hook)


def register_post_accumulate_grad_hook(tensor: Any, hook: Callable[[Any], None]) -> RemovableHandle:
    """Call `hook(leaf)` after a gradient was added into the leaf's `.grad`.

    RuntimeError on a non-leaf, or without requires_grad. Source: torch.Tensor.register_post_accumulate_grad_hook.
    """
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not tensor.is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors: use register_hook")
    tensor._post_accumulate = tensor._post_accumulate or {}
    return register(tensor._post_accumulate, hook)


def run_post_accumulate(leaf: Any, table: HookTable) -> None:
    """Call the hooks of a leaf that has just received a gradient."""
    for hook in list(table.values()):
        result = hook(leaf)
        # A tensor does no harm: it is what a method returns that changes the leaf in place.
        if result is not None and not hasattr(result, "requires_grad"):
            raise RuntimeError("Tensor post accumulate grad hooks should return None: change .grad in place instead")
