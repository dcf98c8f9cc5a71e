"""Adapters that leave something behind, each one thing."""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np

import reference_engine
from adapters.with_reference import ReferenceAdapter
from tests.zoo.adapters import Healthy


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


class OnTheReference(ReferenceAdapter):
    """The reference engine, as far as the chapter needs it to be another."""

    def backward(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("this engine has no gradient")


class LeavesGradModeOff(OnTheReference):
    """Turns gradients off and does not turn them on again."""

    def detach(self, x: Any) -> Any:
        reference_engine.set_grad_enabled(False)
        return x


class LeavesAnotherDefaultDtype(OnTheReference):
    """Sets the default dtype for all that follows."""

    def detach(self, x: Any) -> Any:
        reference_engine.set_default_dtype(reference_engine.float64)
        return x


class LeavesNumPyRaising(Healthy):
    """Makes NumPy raise on every rounding."""

    def detach(self, x: Any) -> Any:
        np.seterr(all="raise")
        return x


class LeavesTheFolder(Healthy):
    """Goes to another folder and stays there."""

    def detach(self, x: Any) -> Any:
        os.chdir("/")
        return x


class LeavesADeepStack(Healthy):
    """Raises the recursion limit."""

    def detach(self, x: Any) -> Any:
        sys.setrecursionlimit(50_000)
        return x


class LeavesGarbage(Healthy):
    """Turns the garbage collector off."""

    def detach(self, x: Any) -> Any:
        gc.disable()
        return x


class TakesTheSignals(Healthy):
    """Takes the signal by which limits within a process work, such as those of pytest-timeout."""

    def detach(self, x: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        return x


class ReplacesStandardOutput(Healthy):
    """Replaces standard output by another stream."""

    def detach(self, x: Any) -> Any:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return x


class ClosesStandardOutput(Healthy):
    """Closes the stream that Python prints to, which cannot be opened again."""

    def detach(self, x: Any) -> Any:
        sys.stdout.close()
        return x


class CannotBeRestored(ChangesGlobalState):
    """Leaves a switch turned, and does not turn it back when asked to."""

    def restore(self, state: Any) -> None:
        pass


class LosesItsState(Healthy):
    """Cannot say its state any more after one verb."""

    lost = False

    def global_state(self) -> dict[str, Any]:
        if type(self).lost:
            raise RuntimeError("state lost")
        return {}

    def detach(self, x: Any) -> Any:
        type(self).lost = True
        return x


class HasAStateThatCannotBeCompared(ChangesGlobalState):
    """Has arrays among its switches, whose comparison is not a bool."""

    def global_state(self) -> dict[str, Any]:
        return {"switches": STATES[type(self).switch]}


class LeavesThreadsRunning(Healthy):
    """Starts threads that never end and that the interpreter would wait for; one of them fails loudly."""

    def detach(self, x: Any) -> Any:
        for target in (_sleep, _sleep, _fail):
            threading.Thread(target=target, daemon=False).start()
        return x


class LeavesFilesOpen(Healthy):
    """Opens files until the system raises an error, which is soon, and closes none."""

    kept: list[Any] = []  # noqa: RUF012

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        # A low limit, so that it is reached at once.
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    def detach(self, x: Any) -> Any:
        try:
            while True:
                self.kept.append(open(os.devnull))  # noqa: SIM115
        except OSError:
            return x


# Two elements: their comparison has no truth value.
STATES = {"off": np.zeros(2), "on": np.ones(2)}


def _sleep() -> None:
    while True:
        time.sleep(1)


def _fail() -> None:
    # Printed by Python, and seen by no check.
    raise RuntimeError("a thread failed")
