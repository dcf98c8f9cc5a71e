"""Adapters that replace a function which the harness, or NumPy, leans on, each one."""

from __future__ import annotations

import faulthandler
import inspect
import math
import sys
import time
import traceback
import warnings
from typing import Any, NoReturn

import msgspec
import numpy as np
import psutil
from numpy._core import numeric

from conformance import compare, trial
from conformance.recording_adapter import RecordingAdapter
from tests.zoo.adapters import Healthy


def _raise(*args: Any, **kwargs: Any) -> NoReturn:
    raise RuntimeError("replaced by a check")


def _agree(*args: Any, **kwargs: Any) -> bool:
    return True


def _ignore(*args: Any, **kwargs: Any) -> None:
    return None


class ReplacesOpen(Healthy):
    """Replaces the built-in `open` by a function that raises."""

    def detach(self, x: Any) -> Any:
        # In a module that is imported this is a dictionary; in a main module it would be the module `builtins`.
        __builtins__["open"] = _raise
        return x


class PatchesPsutil(Healthy):
    """Replaces what counts the open files."""

    def detach(self, x: Any) -> Any:
        psutil.Process.num_fds = _raise
        return x


class PatchesFaulthandler(Healthy):
    """Replaces what a watchdog inside the process would use."""

    def detach(self, x: Any) -> Any:
        faulthandler.dump_traceback_later = faulthandler.enable = _raise
        return x


class PatchesAllclose(Healthy):
    """Replaces NumPy's comparison by one that is always content."""

    def detach(self, x: Any) -> Any:
        np.allclose = np.isclose = _agree
        return x


class PatchesAsarray(Healthy):
    """Replaces NumPy's conversion."""

    def detach(self, x: Any) -> Any:
        np.asarray = _raise
        return x


class PatchesNumPyWithin(Healthy):
    """Replaces the comparison in the module of NumPy that calls it."""

    def detach(self, x: Any) -> Any:
        # Where `allclose` looks it up: replacing it in the package would not change `allclose`.
        numeric.isclose = _raise
        return x


class PatchesTheComparison(Healthy):
    """Replaces the function of this suite that compares numbers."""

    def detach(self, x: Any) -> Any:
        # No difference: every later cell would pass.
        compare.difference = lambda *args: ""
        return x


class PatchesTheTrial(Healthy):
    """Replaces the function of this suite that runs a behaviour."""

    def detach(self, x: Any) -> Any:
        trial.run = _raise
        return x


class PatchesTheTrialWithin(Healthy):
    """Makes the verdicts of this suite always `pass`."""

    def detach(self, x: Any) -> Any:
        trial._decide = _agree
        return x


class StopsTheClocks(Healthy):
    """Replaces every clock by one that raises."""

    def detach(self, x: Any) -> Any:
        time.perf_counter = time.monotonic = time.time = time.sleep = _raise
        return x


class PatchesTheRecorder(Healthy):
    """Replaces a method of the class by which this suite calls every adapter."""

    def detach(self, x: Any) -> Any:
        # On the class, as each check has a new instance.
        RecordingAdapter.__getattr__ = _raise
        return x


class PatchesTheTraceback(Healthy):
    """Replaces what reads tracebacks."""

    def detach(self, x: Any) -> Any:
        # By it the harness decides whether an error is the adapter's or the engine's (trial.Trial.is_engines).
        traceback.extract_tb = _raise
        return x


class PatchesWarnings(Healthy):
    """Replaces how warnings are caught and given."""

    def detach(self, x: Any) -> Any:
        setattr(warnings, "catch_warnings", _raise)  # noqa: B010
        setattr(warnings, "warn", _ignore)  # noqa: B010
        return x


class PatchesInspect(Healthy):
    """Replaces how signatures are read, which the recording adapter does."""

    def detach(self, x: Any) -> Any:
        setattr(inspect, "signature", _raise)  # noqa: B010
        return x


class PatchesMath(Healthy):
    """Lets any two numbers be close, which chapters ask."""

    def detach(self, x: Any) -> Any:
        setattr(math, "isclose", _agree)  # noqa: B010
        return x


class PatchesSys(Healthy):
    """Replaces how the stack is looked at."""

    def detach(self, x: Any) -> Any:
        setattr(sys, "_getframe", _raise)  # noqa: B010
        return x


class PatchesTheDecoder(Healthy):
    """Replaces the function that reads JSON."""

    def detach(self, x: Any) -> Any:
        setattr(msgspec.json, "decode", _raise)  # noqa: B010
        return x
