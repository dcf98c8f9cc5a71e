"""Adapters that do harm outside of a check: later, between checks, in other processes, or when the process ends."""

from __future__ import annotations

import _thread
import atexit
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, NoReturn

from tests.zoo.adapters import Healthy

# After the check, which takes milliseconds, and within the second for which the worker is then kept (LINGER_S).
SOON = 0.1


def _later(target: Any, *arguments: Any) -> None:
    """Call a function a little later, in a thread that `threading` does not know."""

    def wait() -> None:
        time.sleep(SOON)
        target(*arguments)

    _thread.start_new_thread(wait, ())


def _sleep(*arguments: Any) -> NoReturn:
    while True:
        time.sleep(1)


def _hold_the_lock() -> None:
    all(itertools.repeat(1))


class InterruptsItself(Healthy):
    """Sends its process what Ctrl-C sends."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return x


class InterruptsItsMainThread(Healthy):
    """Asks Python to interrupt the main thread."""

    def detach(self, x: Any) -> Any:
        _thread.interrupt_main()
        return x


class InterruptsLater(Healthy):
    """Interrupts the main thread again and again, from now on."""

    def detach(self, x: Any) -> Any:
        threading.Thread(target=self._interrupt, daemon=True).start()
        return x

    def _interrupt(self) -> None:
        while True:
            time.sleep(SOON)
            os.kill(os.getpid(), signal.SIGINT)


class TerminatesItself(Healthy):
    """Sends its process the signal to end."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return x


class HangsItselfUp(Healthy):
    """Sends its process the signal of a terminal that has gone."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return x


class BreaksAPipe(Healthy):
    """Sends its process the signal of a broken pipe, which Python ignores."""

    def detach(self, x: Any) -> Any:
        os.kill(os.getpid(), signal.SIGPIPE)
        return x


class TerminatesItsGroup(Healthy):
    """Sends the signal to end to its whole group."""

    def detach(self, x: Any) -> Any:
        os.killpg(0, signal.SIGTERM)
        return x


class RaisesLater(Healthy):
    """Makes the main thread raise an exception a little later."""

    def detach(self, x: Any) -> Any:
        main = ctypes.c_ulong(threading.main_thread().ident or 0)
        _later(ctypes.pythonapi.PyThreadState_SetAsyncExc, main, ctypes.py_object(SystemExit))
        return x


class DiesLater(Healthy):
    """Ends its process a little later, from a thread that `threading` does not know."""

    def detach(self, x: Any) -> Any:
        _later(os._exit, 3)
        return x


class StopsLater(Healthy):
    """Stops its process a little later."""

    def detach(self, x: Any) -> Any:
        _later(os.kill, os.getpid(), signal.SIGSTOP)
        return x


class HoldsTheLockLater(Healthy):
    """Takes the interpreter lock a little later, and keeps it."""

    def detach(self, x: Any) -> Any:
        _later(_hold_the_lock)
        return x


class GrowsLater(Healthy):
    """Takes memory from now on, in a thread."""

    def detach(self, x: Any) -> Any:
        threading.Thread(target=self._grow, daemon=True).start()
        return x

    def _grow(self) -> None:
        taken = []
        while True:
            time.sleep(0.001)
            # At most a gibibyte a second: the check has ended long before the limit is reached.
            taken.append(b"x" * 2**20)


class KillsFromAChild(Healthy):
    """Has another process end its own a little later."""

    def detach(self, x: Any) -> Any:
        # When the signal comes the check has long passed: the death must still be this cell's, and not the next one's.
        subprocess.Popen(["/bin/sh", "-c", f"sleep 0.05; kill -9 {os.getpid()}"])
        return x


class _Blocking:
    """Never finishes being deleted."""

    def __init__(self) -> None:
        self.cycle: Any = None

    def __del__(self) -> None:
        _sleep()


class BlocksWhenDeleted(Healthy):
    """Leaves an object whose deletion never ends."""

    def detach(self, x: Any) -> Any:
        _Blocking()
        return x


class BlocksWhenCollected(Healthy):
    """Leaves an object in a cycle, for the garbage collector, and its deletion never ends."""

    def detach(self, x: Any) -> Any:
        one = _Blocking()
        # But for the worker's collection after each check, a later cell would run this, and be the timeout.
        one.cycle = one
        return x


class BlocksAtExit(Healthy):
    """Never ends by itself: at exit it waits, and a thread is waited for."""

    def detach(self, x: Any) -> Any:
        atexit.register(_sleep)
        threading.Thread(target=_sleep).start()
        return x


class ExitsAtExit(Healthy):
    """Asks to exit while the process exits."""

    def detach(self, x: Any) -> Any:
        atexit.register(sys.exit, 1)
        return x


class LeavesAChild(Healthy):
    """Leaves a process in its group."""

    def detach(self, x: Any) -> Any:
        subprocess.Popen(["/bin/sleep", "1000"])
        return x


class LeavesASession(Healthy):
    """Leaves a process in another session."""

    def detach(self, x: Any) -> Any:
        subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True)
        return x


class LeavesADaemon(Healthy):
    """Leaves a process in another session whose parent is gone, and that ignores the signal to end."""

    def detach(self, x: Any) -> Any:
        # The shell ends at once: what it leaves is adopted by the worker, and carries the run's tag.
        subprocess.run(["/bin/sh", "-c", "trap '' TERM HUP; setsid sleep 1000 &"], check=True)
        return x


class LeavesANamelessChild(Healthy):
    """Leaves a process in another session, without environment variables."""

    def detach(self, x: Any) -> Any:
        named = os.environ["CALL_TAG"]  # by which the test finds it
        subprocess.Popen([named, "1000"], executable="/bin/sleep", start_new_session=True, env={})
        return x


class LeavesFiles(Healthy):
    """Leaves temporary files and folders."""

    def detach(self, x: Any) -> Any:
        tempfile.mkstemp()
        # It cannot be listed: `shutil.rmtree` leaves it to any user but root, and `chmod` has to come first.
        os.chmod(tempfile.mkdtemp(), 0)
        return x


class _HangsAsArray:
    """Never becomes an array."""

    def __array__(self, *arguments: Any, **named: Any) -> NoReturn:
        _sleep()


class _HangsInAWord:
    """Never finishes to say what it is, or whether it is."""

    __repr__ = __bool__ = __eq__ = __len__ = __iter__ = _sleep  # type: ignore[assignment]
    __hash__ = object.__hash__


class HangsAsAnArray(Healthy):
    """Returns a value that never becomes an array."""

    def detach(self, x: Any) -> Any:
        return _HangsAsArray()


class HangsInAWord(Healthy):
    """Returns a value as numbers that never finishes to say what it is."""

    def detach(self, x: Any) -> Any:
        return _HangsInAWord()

    def to_numpy(self, x: Any) -> Any:
        return x
