"""The verbs that are Python's own on every engine."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from conformance.protocol.types import Array, Operand, Tree


class PythonVerbs:
    """The group Threads of the protocol, and what the language or its library does to any array."""

    def in_thread(self, action: Callable[[], Any]) -> Any:
        # An executor, and not Thread: an exception of the action reaches the caller.
        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(action).result()

    def augment_(self, x: Array, y: Operand) -> Array:
        x += y
        return x

    def dlpack_of(self, x: Array) -> Any:
        return x.__dlpack__()

    def deep_copy(self, value: Tree) -> Tree:
        return copy.deepcopy(value)
