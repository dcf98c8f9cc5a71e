"""Signals that ask a run to end: taken between two steps, so that none falls into cleanup or the writing of a row."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def postponed() -> Iterator[Callable[[], None]]:
    """Yields the function that calls the handler of a signal that has come; the end of the block calls it, too.

    Signals without a handler in Python, such as those that `nohup` has turned off, act as before.
    """
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in SIGNALS}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[tuple[int, Any]] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append((number, frame))

    def take() -> None:
        if came:
            number, frame = came[0]
            # Before the handler, which may raise: a later signal is then noted anew.
            came.clear()
            handlers[number](number, frame)

    try:
        for number in handlers:
            signal.signal(number, note)
        yield take
    finally:
        for number, handler in handlers.items():
            # Unless a handler has replaced it.
            if signal.getsignal(number) is note:
                signal.signal(number, handler)
        take()
