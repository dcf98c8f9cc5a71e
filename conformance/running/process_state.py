"""Global state that a check must not change: that of the engine, which its adapter names, and some of the process.

Threads, open files and environment variables are not included: engines keep pools of the first two, and some set
environment variables when a part of them is imported late.
"""

from __future__ import annotations

import builtins
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from conformance.compare import brief
from conformance.protocol import Adapter

# Windows has no SIGALRM.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)]

Read = Callable[[], Any]
Write = Callable[[Any], Any]


def _filters() -> list[str]:
    """The filters for built-in warnings. Modules that are imported late add others, for warnings of their packages."""
    return [
        f"{action}::{category.__name__}"
        for action, message, category, module, line in cast(Any, warnings.filters)
        if category.__module__ == "builtins" and not (message or module or line)
    ]


def _set_filters(filters: list[str]) -> None:
    warnings.resetwarnings()
    # Reversed, because each call puts its filter in front.
    for action, _, category in (text.partition("::") for text in reversed(filters)):
        warnings.simplefilter(cast(Any, action), getattr(builtins, category))


class _Stream(NamedTuple):
    """A standard stream, and whether it is closed."""

    stream: Any
    closed: bool

    def __repr__(self) -> str:
        return "closed" if self.closed else f"a {type(self.stream).__name__}"


def _streams() -> dict[str, _Stream]:
    streams = {"stdout": sys.stdout, "stderr": sys.stderr}
    return {name: _Stream(stream, getattr(stream, "closed", True)) for name, stream in streams.items()}


def _set_streams(streams: Mapping[str, _Stream]) -> None:
    sys.stdout, sys.stderr = streams["stdout"].stream, streams["stderr"].stream


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# What engines, and checks by accident, have been seen to change; each with its getter and setter.
PROCESS: dict[str, tuple[Read, Write]] = {
    "warnings filter": (_filters, _set_filters),
    "NumPy's error state": (np.geterr, lambda state: np.seterr(**state)),
    "NumPy's print format": (np.get_printoptions, lambda options: np.set_printoptions(**options)),
    "garbage collection": (gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
    "recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "signal handling": (
        lambda: {number: signal.getsignal(number) for number in SIGNALS},
        lambda handlers: [signal.signal(number, handler) for number, handler in handlers.items()],
    ),
    "standard stream": (_streams, _set_streams),
    "working directory": (os.getcwd, os.chdir),
    "file mode mask": (_umask, os.umask),
}


class ProcessState:
    """The state before a check, read by the constructor. Raises what the adapter's `global_state` raises."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._engine = dict(adapter.global_state())
        self._process = {name: read() for name, (read, _) in PROCESS.items()}

    def changes(self) -> str:
        """Describe changes, in words; empty if there are none."""
        process = {name: try_read(read) for name, (read, _) in PROCESS.items()}
        differences = [
            *_differences(self._engine, dict(self._adapter.global_state())),
            *_differences(self._process, process),
        ]
        return ", ".join(differences)

    def restore(self) -> bool:
        """Restore everything; returns whether that succeeded."""
        try:
            self._adapter.restore(self._engine)
            for name, (_, write) in PROCESS.items():
                write(self._process[name])
            return not self.changes()  # an adapter's `restore` may not do what it should
        except Exception:
            return False


def try_read(read: Read) -> Any:
    """The state, or the error of reading it: the working directory may have been deleted."""
    try:
        return read()
    except Exception as error:
        return error


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    changed = (name for name in before if not _same(before[name], after.get(name)))
    return [f"{name} was {_shown(before[name], after.get(name))}" for name in changed]


def _same(before: Any, after: Any) -> bool:
    try:
        return bool(before == after)
    except Exception:  # an engine's values may raise when compared
        return before is after


def _shown(before: Any, after: Any) -> str:
    """Both values; of dictionaries and lists only what changed."""
    if isinstance(before, dict) and isinstance(after, dict):
        names = [name for name in before.keys() | after.keys() if not _same(before.get(name), after.get(name))]
        before, after = ({name: state.get(name) for name in sorted(names)} for state in (before, after))
    elif isinstance(before, list) and isinstance(after, list):
        before, after = [x for x in before if x not in after], [x for x in after if x not in before]
    return f"{brief(before)}, is {brief(after)}"
