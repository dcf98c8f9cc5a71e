"""Adapters that die, hang or grow, each in one way."""

from __future__ import annotations

import ctypes
import faulthandler
import itertools
import os
import signal
import sys
import threading
import time
from typing import Any

from tests.zoo.adapters import Healthy


class Aborts(Healthy):
    """Calls abort in native code."""

    def detach(self, x: Any) -> Any:
        os.abort()


class Segfaults(Healthy):
    """Reads from address zero."""

    def detach(self, x: Any) -> Any:
        return ctypes.string_at(0)


class HangsInNativeCode(Healthy):
    """Never returns, in native code that holds the interpreter lock."""

    def detach(self, x: Any) -> Any:
        return 0 in itertools.repeat(1)  # a loop in C that looks neither at signals nor at other threads


class SwallowsEverything(Healthy):
    """Loops forever and catches everything that would end it."""

    def detach(self, x: Any) -> Any:
        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                continue


class LeavesAPoisonBehind(Healthy):
    """Returns, and ends the process a moment later from another thread."""

    def detach(self, x: Any) -> Any:
        # Ends the process while the next behaviour runs, in `is_leaf`: that one must not be blamed.
        timer = threading.Timer(0.4, os._exit, (7,))
        timer.daemon = True
        timer.start()
        return x

    def is_leaf(self, x: Any) -> bool:
        time.sleep(0.8)
        return True


class DiesAtRandom(Healthy):
    """Dies the first time that it is asked, and never again: no verdict can be repeated."""

    def detach(self, x: Any) -> Any:
        # A file, as the process that could remember is the one that ends.
        flag = os.environ["ZOO_FLAG"]
        if not os.path.exists(flag):
            open(flag, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return x


class KillsItself(Healthy):
    """Is ended as the kernel ends what takes too much memory."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class ClosesEveryFile(Healthy):
    """Closes all file descriptors of the process, the harness's own among them."""

    def detach(self, x: Any) -> Any:
        os.closerange(0, 1024)
        return x


class StopsItself(Healthy):
    """Stops its process, and with it every watchdog inside."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)


class CallsTheWatchdogOff(Healthy):
    """Turns the watchdog off, and then hangs in native code."""

    def detach(self, x: Any) -> Any:
        # The limit was once kept by this watchdog; now it is kept from outside (docs/runner.md, promise 3).
        faulthandler.cancel_dump_traceback_later()
        return 0 in itertools.repeat(1)


class RecursesForever(Healthy):
    """Calls itself until Python raises an error."""

    def detach(self, x: Any) -> Any:
        return self.detach(x)


class OverflowsTheStack(Healthy):
    """Calls itself through native code until the stack of the process ends."""

    def detach(self, x: Any) -> Any:
        sys.setrecursionlimit(10**8)

        # Through C, as Python by itself would raise a RecursionError long before.
        @ctypes.CFUNCTYPE(None)
        def deeper() -> None:
            deeper()

        deeper()


class GrowsWithoutEnd(Healthy):
    """Takes memory, and gives none back."""

    def detach(self, x: Any) -> Any:
        taken = []
        while True:
            taken.append(b"x" * 2**24)


class GrowsInNativeCode(Healthy):
    """Takes memory in one native call that holds the interpreter lock."""

    def detach(self, x: Any) -> Any:
        # No thread of the process runs again before memory is short: only another process can measure it.
        return list(itertools.repeat(x))


class AsksForTooMuch(Healthy):
    """Asks for more memory than there is address space, which raises an error."""

    def detach(self, x: Any) -> Any:
        return bytearray(2**62)


class IsMadeOnce(Healthy):
    """Ends its process in one verb, and every later process that makes it."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        if os.path.exists(os.environ["ZOO_FLAG"]):
            os._exit(3)

    def detach(self, x: Any) -> Any:
        open(os.environ["ZOO_FLAG"], "w").close()
        os._exit(3)


class DiesWhenMade(Healthy):
    """Ends every process that makes it."""

    def __init__(self, parameters: Any = None) -> None:
        os._exit(0)


class HangsWhenMade(Healthy):
    """Never comes into being."""

    def __init__(self, parameters: Any = None) -> None:
        time.sleep(1000)
