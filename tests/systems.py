"""Tests that only some operating systems can run, marked once."""

from __future__ import annotations

import os
import signal

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX: fork, signals, terminals, limits of a process")


def stop_ignoring_signals() -> None:
    """Let child processes start with default SIGINT and SIGHUP, also where this process was started with them ignored.

    `nohup`, and `&` in a script, start a process with a signal ignored, and its children inherit that. A handler is not
    inherited by a new program. One that does nothing leaves this process as immune as it was.
    """
    for number in (getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)
