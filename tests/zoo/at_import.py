"""A healthy adapter, whose module does when it is imported what the environment variable ZOO_IMPORT names."""

from __future__ import annotations

import builtins
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

from tests.zoo.adapters import Healthy


def _sleep() -> None:
    while True:
        time.sleep(1)


def _add_and_remove() -> None:
    while True:
        # A number of modules that goes up and down is no progress: only more than ever before are.
        sys.modules["added"] = sys
        time.sleep(0.3)
        del sys.modules["added"]
        time.sleep(0.3)


def _print() -> None:
    for _ in range(2**12):
        print("import " * 2**8, flush=True)
        print("import " * 2**8, file=sys.stderr)


def _raise() -> None:
    raise BaseException("no exception")


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def _write() -> None:
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"stray")
        except OSError:
            continue


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


WAYS: dict[str, Callable[[], Any]] = {
    # A process can live with these.
    "prints": _print,
    # A worker is ended and does not exit, so that nothing waits for the thread.
    "starts a thread": threading.Thread(target=_sleep).start,
    "leaves a child": lambda: subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True),
    "goes elsewhere": lambda: os.chdir("/"),
    # A worker is ended by SIGKILL, which cannot be taken.
    "takes the signals": lambda: [signal.signal(one, signal.SIG_IGN) for one in (signal.SIGINT, signal.SIGTERM)],
    # The worker ignores SIGINT except while a check runs.
    "interrupts itself": _interrupt,
    "turns warnings into errors": lambda: warnings.simplefilter("error"),
    "raises the recursion limit": lambda: sys.setrecursionlimit(10_000),
    "allows few files": _limit,
    "clears the environment": os.environ.clear,
    # The copy ends at its first message: a channel knows the process that it belongs to.
    "forks into the harness": os.fork,
    # After an import the worker takes the deeper of both limits.
    "has a flat stack": lambda: sys.setrecursionlimit(60),
    # With these it cannot.
    "exits": lambda: sys.exit("enough"),
    "exits the process": lambda: os._exit(0),
    "raises": _raise,
    "kills itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "stops itself": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "sleeps": _sleep,
    "adds and removes a module": _add_and_remove,
    "sleeps in native code": lambda: 0 in itertools.repeat(1),
    "closes descriptors": lambda: os.closerange(0, 64),
    "writes to descriptors": _write,
    "forgets modules": sys.modules.clear,
    # Its worker cannot send which cell it begins, so each row is out of turn, and starts are given up after a few.
    "begins nothing": lambda: setattr(sys.modules["__main__"], "Begun", None),
    "replaces open": lambda: setattr(builtins, "open", None),
}
WAYS.get(os.environ.get("ZOO_IMPORT", ""), int)()


class Imported(Healthy):
    """Is healthy, once it is imported."""
