"""The zoo: adapters to a toy engine of NumPy arrays, each broken in exactly one way."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np

from conformance.protocol import Absence, Adapter


class Healthy(Adapter):
    """Does everything that the chapter asks of it."""

    name = "toy"

    @property
    def version(self) -> str:
        return "1.0"

    @property
    def held_to(self) -> dict[str, str]:
        return {"torch": "2.13"}

    def array(self, value: Any, dtype: str | None = None) -> Any:
        return np.asarray(value, dtype)

    leaf = array

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def detach(self, x: Any) -> Any:
        return x

    def is_leaf(self, x: Any) -> bool:
        return True

    def clone(self, x: Any) -> Any:
        return x.copy()

    def backward(self, output: Any) -> None:
        raise RuntimeError("this engine has no gradient")


class Slow(Healthy):
    """Does everything, a little later."""

    def detach(self, x: Any) -> Any:
        time.sleep(0.15)
        return x


class ExitsTheProcess(Healthy):
    """Calls os._exit in one verb."""

    def detach(self, x: Any) -> Any:
        os._exit(0)


class Aborts(Healthy):
    """Calls abort in native code."""

    def detach(self, x: Any) -> Any:
        os.abort()


class Segfaults(Healthy):
    """Reads from address zero."""

    def detach(self, x: Any) -> Any:
        return ctypes.string_at(0)


class LoopsForever(Healthy):
    """Never returns, in Python."""

    def detach(self, x: Any) -> Any:
        while True:
            time.sleep(0.001)


class HangsInNativeCode(Healthy):
    """Never returns, in native code that holds the interpreter lock."""

    def detach(self, x: Any) -> Any:
        return 0 in itertools.repeat(1)  # a loop in C that looks neither at signals nor at other threads


class SwallowsEverything(Healthy):
    """Loops forever and catches whatever would end it."""

    def detach(self, x: Any) -> Any:
        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                continue


class RaisesSystemExit(Healthy):
    """Asks the interpreter to exit, with status 0."""

    def detach(self, x: Any) -> Any:
        sys.exit(0)


class RaisesKeyboardInterrupt(Healthy):
    """Raises what Ctrl-C would."""

    def detach(self, x: Any) -> Any:
        raise KeyboardInterrupt


class PrintsNoise(Healthy):
    """Prints to standard output and error, from Python and from native code."""

    def detach(self, x: Any) -> Any:
        print('{"kind":"result"}', flush=True)
        print("noise", file=sys.stderr)
        os.write(1, b"native noise\n")
        return x


class LeavesAPoisonBehind(Healthy):
    """Returns, and ends the process a moment later from another thread."""

    def detach(self, x: Any) -> Any:
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
        flag = os.environ["ZOO_FLAG"]
        if not os.path.exists(flag):
            open(flag, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return x


class ChangesGlobalState(Healthy):
    """Leaves a switch of the engine turned."""

    switch = "off"

    def global_state(self) -> dict[str, Any]:
        return {"switch": type(self).switch}

    def restore(self, state: Any) -> None:
        type(self).switch = state["switch"]

    def detach(self, x: Any) -> Any:
        type(self).switch = "on"
        return x


class LeavesFiltersBehind(Healthy):
    """Changes the warnings filters of the process."""

    def detach(self, x: Any) -> Any:
        warnings.simplefilter("error")
        return x


class HasABug(Healthy):
    """Misspells a name."""

    def detach(self, x: Any) -> Any:
        return x.detatch()


class SaysNothingOfDetaching(Healthy):
    """Lacks a verb, and does not say so."""

    detach = None


def _holds(ad: Any) -> None:
    assert ad.array([1.0])[0] == 1.0


def _does_not_hold(ad: Any) -> None:
    assert ad.array([1.0])[0] == 2.0


class LacksDetaching(Healthy):
    """Lacks a verb by design, and proves it."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", _holds),)


class ClaimsAFalseAbsence(Healthy):
    """Claims to lack a verb; its own probe says otherwise."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", _does_not_hold),)


class BreaksItsPromise(Healthy):
    """Returns other numbers than it documents."""

    def detach(self, x: Any) -> Any:
        return x + 1


class RefusesWithAnotherError(Healthy):
    """Refuses, but not as it documents."""

    def backward(self, output: Any) -> None:
        raise ValueError("no gradient")


class PromisesNothing(BreaksItsPromise):
    """Returns other numbers, and nobody promised."""

    @property
    def held_to(self) -> dict[str, str]:
        return {"jax": "0.10"}


class Nameless(Healthy):
    """Has no name."""

    name = ""


class NotAnAdapter:
    """Is not derived from Adapter."""
