"""Removable functions that a program hangs onto tensors and nodes (notes/autograd, Backward Hooks execution)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

HookTable = dict[int, Callable[..., Any]]
_ids = itertools.count()


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook off again; also a context manager."""

    def __init__(self, table: HookTable) -> None:
        self.id = next(_ids)
        self._table = table

    def remove(self) -> None:
        """Take the hook off; harmless if it is off already (torch.utils.hooks.RemovableHandle)."""
        self._table.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def register(table: HookTable, hook: Callable[..., Any]) -> RemovableHandle:
    """Add a hook after those already in the table; TypeError unless it can be called."""
    if not callable(hook):
        raise TypeError(f"a hook must be a function, but got {type(hook).__name__}")
    handle = RemovableHandle(table)
    table[handle.id] = hook
    return handle
