"""The parts of an engine's process that the harness leans on, and whether a check has damaged them.

`process_state` is about what engines and checks change by accident, and is restored. This is about what no check has a
reason to change: after a damage, the verdicts of later cells in this process could not be trusted, so there are none.
It is cheap, as it is asked after each cell. It is no defence against code that hides what it did: see docs/runner.md.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from conformance import compare, compiled_trials, expect, messages, recording_adapter, trial, verdicts
from conformance.running import process_state, systems

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

KINDS = ("NOFILE", "FSIZE", "AS", "DATA", "STACK", "CPU", "NPROC", "CORE", "RSS")
LIMITS = [getattr(resource, f"RLIMIT_{name}") for name in KINDS if hasattr(resource, f"RLIMIT_{name}")]
TIMERS = [getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF") if hasattr(signal, name)]
SYS = ("_getframe", "exc_info", "getrecursionlimit", "setrecursionlimit")
# Modules of which every name that was there must be the same object; NumPy's comparison is in those of `numpy._core`.
NAMES = (
    *("builtins", "contextlib", "copy", "gc", "inspect", "io", "linecache", "math", "os", "os.path", "re", "signal"),
    *("tempfile", "threading", "time", "traceback", "warnings"),
    *("numpy", "numpy._core.numeric", "numpy._core.fromnumeric"),
)
# Imported here, before the engine and chapters are.
MODULES = tuple(map(import_module, NAMES))
OURS = (compare, expect, messages, process_state, recording_adapter, trial, verdicts, compiled_trials)
# `tempfile` sets it when it makes its first file.
CHANGING = {"_name_sequence"}
# A thread of Python's is counted when it begins, which on a busy machine may be this long after its start.
START_S = 0.1
GLANCE_S = 0.005


class Harness:
    """State before the first cell. `damage` describes what has changed since."""

    def __init__(self, channel: tuple[int, ...]) -> None:
        # Windows has it since Python 3.12.
        self._fstat, self._waits = os.fstat, getattr(os, "get_blocking", bool)
        self._reads = {
            "the channel to the recorder": lambda: self._files(channel),
            "a standard stream": lambda: self._files((0, 1, 2)),
            **_reads(),
        }
        self._before = {name: read() for name, read in self._reads.items()}
        watched = (*MODULES, *OURS, *_classes(OURS))
        self._watched: list[tuple[Any, dict[str, Any]]] = [(value, dict(vars(value))) for value in watched]
        self._threads, self._children = _thread._count(), systems.has_children()
        self._natives, self._sleep = systems.threads(), time.sleep

    def damage(self) -> str:
        """Describe changes, in words; empty if there are none."""
        changed = [name for name, read in self._reads.items() if process_state.try_read(read) != self._before[name]]
        for number, (module, before) in enumerate(self._watched):
            now = vars(module)
            if now != before:
                changed += _replaced(module, before)
                # Names are added when a module loads a part of itself late: from now on they must stay.
                self._watched[number] = (module, dict(now))
            if isinstance(module, ModuleType) and sys.modules.get(module.__name__) is not module:
                changed.append(f"the module {module.__name__}")
        return ", ".join(changed)

    def left_running(self) -> bool:
        """Whether a thread of Python's or another process is there that was not before the cell."""
        before = self._threads, self._children
        # Not `threading`, which does not know the threads that are started without it.
        for _ in range(round(START_S / GLANCE_S)):
            if systems.threads() <= self._natives or _thread._count() > before[0]:
                break
            self._sleep(GLANCE_S)
        self._natives = systems.threads()
        self._threads, self._children = _thread._count(), systems.has_children()
        return self._threads > before[0] or self._children > before[1]

    def _files(self, descriptors: tuple[int, ...]) -> list[tuple[int, int, bool]]:
        """Which files the descriptors mean, and whether reading and writing waits for them."""
        stats = [(self._fstat(descriptor), self._waits(descriptor)) for descriptor in descriptors]
        return [(stat.st_dev, stat.st_ino, waits) for stat, waits in stats]


def _classes(modules: Iterable[ModuleType]) -> list[type]:
    """The classes that are defined in the modules."""
    values = ((module, value) for module in modules for value in vars(module).values())
    return [value for module, value in values if isinstance(value, type) and value.__module__ == module.__name__]


def _replaced(module: ModuleType | type, before: dict[str, Any]) -> list[str]:
    now = vars(module)
    names = [name for name, value in before.items() if name not in CHANGING and now.get(name, now) is not value]
    return [f"{module.__name__}.{name}" for name in names[:5]]


def _reads() -> dict[str, Callable[[], Any]]:
    """The states that are read after each cell, by the name in which their damage is reported."""
    folder, folders, finders = tempfile.gettempdir(), list(sys.path), list(sys.meta_path)
    # Bound now: a check may replace the functions of these modules, too.
    isdir, access, writable = os.path.isdir, os.access, os.W_OK | os.X_OK
    return {
        "limits of the process": lambda: [resource.getrlimit(kind) for kind in LIMITS],
        "an interval timer": lambda: [any(signal.getitimer(timer)) for timer in TIMERS],
        # Others in `sys` change as programs run.
        "a function of sys": lambda: [getattr(sys, name, None) for name in SYS],
        "the signal mask": _read_mask,
        "the trace function": sys.gettrace,
        "the profile function": sys.getprofile,
        "the thread switch interval": sys.getswitchinterval,
        "the priority of the process": _read_priority,
        "the temporary folder": lambda: isdir(folder) and access(folder, writable),
        "floating-point arithmetic": _read_arithmetic,
        # All that was there: engines add finders and folders.
        "where modules are found": lambda: (
            all(path in sys.path for path in folders) and all(finder in sys.meta_path for finder in finders)
        ),
        # Paths by which programs are looked up, an engine's compiler among them, and where files go.
        "an environment variable": lambda: [os.environ.get(name) for name in ("PATH", "HOME", "TMPDIR")],
    }


def _read_mask() -> Any:
    return signal.pthread_sigmask(signal.SIG_BLOCK, ()) if hasattr(signal, "pthread_sigmask") else None


def _read_priority() -> Any:
    return os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else None


def _read_arithmetic(unit: float = 1.0, least: float = 2.0**-1070) -> tuple[float, float, float]:
    """Results that depend on how the processor rounds, and whether it takes small numbers for zero."""
    return unit / 3, -unit / 3, least / 2
