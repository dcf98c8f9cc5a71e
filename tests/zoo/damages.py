"""Adapters that damage what the harness leans on in its process, each one thing."""

from __future__ import annotations

import ctypes
import decimal
import gc
import locale
import os
import platform
import random
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from typing import Any, NoReturn

import numpy as np

from tests.zoo.adapters import Healthy

ALL_SIGNALS = signal.valid_signals()


def _raise(*args: Any, **kwargs: Any) -> NoReturn:
    raise RuntimeError("replaced by a check")


def _ignore(*args: Any, **kwargs: Any) -> None:
    return None


def _limit(kind: int, amount: int) -> None:
    resource.setrlimit(kind, (amount, resource.getrlimit(kind)[1]))


class LimitsFiles(Healthy):
    """Allows the process eight file descriptors."""

    def detach(self, x: Any) -> Any:
        _limit(resource.RLIMIT_NOFILE, 8)
        return x


class LimitsFileSize(Healthy):
    """Allows the process no byte in a file."""

    def detach(self, x: Any) -> Any:
        _limit(resource.RLIMIT_FSIZE, 0)
        return x


class LimitsMemory(Healthy):
    """Allows the process no more memory."""

    def detach(self, x: Any) -> Any:
        _limit(resource.RLIMIT_AS, 2**20)
        return x


class LimitsTime(Healthy):
    """Allows the process one second of processor time, most of which its start took."""

    def detach(self, x: Any) -> Any:
        _limit(resource.RLIMIT_CPU, 1)
        return x


class RemovesTheTemporaryFolder(Healthy):
    """Removes the folder for temporary files."""

    def detach(self, x: Any) -> Any:
        shutil.rmtree(tempfile.gettempdir())
        return x


class ReplacesTheTemporaryFolder(Healthy):
    """Puts a file in the place of the folder for temporary files."""

    def detach(self, x: Any) -> Any:
        folder = tempfile.gettempdir()
        shutil.rmtree(folder)
        open(folder, "w").close()
        return x


class LeavesARealTimer(Healthy):
    """Sets a timer that ends the process soon."""

    def detach(self, x: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        return x


class LeavesAVirtualTimer(Healthy):
    """Sets a timer that ends the process after some work."""

    def detach(self, x: Any) -> Any:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        return x


class LeavesAProfilingTimer(Healthy):
    """Sets the third kind of timer, which ends the process after some work."""

    def detach(self, x: Any) -> Any:
        signal.setitimer(signal.ITIMER_PROF, 0.05)
        return x


class SetsAnAlarm(Healthy):
    """Asks for a signal in one second."""

    def detach(self, x: Any) -> Any:
        signal.alarm(1)
        return x


class EmptiesTheModules(Healthy):
    """Forgets all modules."""

    def detach(self, x: Any) -> Any:
        sys.modules.clear()
        return x


class BlocksEverySignal(Healthy):
    """Blocks all signals that can be blocked."""

    def detach(self, x: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, ALL_SIGNALS)
        return x


class LowersItsPriority(Healthy):
    """Gives its process the lowest priority."""

    def detach(self, x: Any) -> Any:
        os.nice(19)
        return x


class LeavesATrace(Healthy):
    """Traces every call from now on."""

    def detach(self, x: Any) -> Any:
        sys.settrace(_ignore)
        return x


class LeavesAProfile(Healthy):
    """Is called for every call from now on."""

    def detach(self, x: Any) -> Any:
        sys.setprofile(_ignore)
        return x


class SwitchesSeldom(Healthy):
    """Lets a thread run for a thousand seconds before another."""

    def detach(self, x: Any) -> Any:
        sys.setswitchinterval(1000)
        return x


class LeavesAFlatStack(Healthy):
    """Lowers the recursion limit so far that hardly anything can be called."""

    def detach(self, x: Any) -> Any:
        sys.setrecursionlimit(60)
        return x


class ClosesADescriptor(Healthy):
    """Closes standard output as the system knows it, where Python does not notice."""

    def detach(self, x: Any) -> Any:
        os.close(1)
        return x


class TakesStandardError(Healthy):
    """Directs standard error, as the system knows it, into a file."""

    def detach(self, x: Any) -> Any:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 2)
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
        return x


class LocksEveryFile(Healthy):
    """Makes new files unreadable for everyone."""

    def detach(self, x: Any) -> Any:
        os.umask(0o777)
        return x


class LeavesARemovedFolder(Healthy):
    """Goes to a folder and removes it."""

    def detach(self, x: Any) -> Any:
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        os.rmdir(folder)
        return x


class ClearsTheEnvironment(Healthy):
    """Removes all environment variables."""

    def detach(self, x: Any) -> Any:
        os.environ.clear()
        return x


class EmptiesThePath(Healthy):
    """Removes all folders in which modules are found."""

    def detach(self, x: Any) -> Any:
        sys.path.clear()
        return x


class RemovesTheFinders(Healthy):
    """Removes what finds modules."""

    def detach(self, x: Any) -> Any:
        sys.meta_path = []
        return x


class RoundsUp(Healthy):
    """Lets the processor round up."""

    def detach(self, x: Any) -> Any:
        # FE_UPWARD, for which Python has no name, on x86 and on ARM.
        upward = 0x800 if platform.machine() in ("x86_64", "AMD64") else 0x400000
        ctypes.CDLL(None).fesetround(upward)
        return x


class ChangesWhatIsItsOwn(Healthy):
    """Changes what no check depends on: seeds, contexts, locale, generations of garbage, the hook for warnings."""

    def detach(self, x: Any) -> Any:
        random.seed(1)
        np.random.seed(1)
        decimal.getcontext().prec = 1
        locale.setlocale(locale.LC_ALL, "C")
        gc.freeze()
        gc.set_threshold(1)
        warnings.showwarning = _raise
        return x
