"""Threads, which are Python's own on every engine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

__all__ = ["ThreadVerbs"]


class ThreadVerbs:
    """The group Threads of the protocol."""

    def in_thread(self, action: Callable[[], Any]) -> Any:
        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(action).result()
