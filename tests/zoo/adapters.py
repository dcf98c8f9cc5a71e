"""A healthy adapter to a toy engine of NumPy arrays, and those that most tests need: each broken in exactly one way."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
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

    # Without a tape there is nothing that would distinguish a leaf.
    leaf = array

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def detach(self, x: Any) -> Any:
        return x

    def is_leaf(self, x: Any) -> bool:
        return True

    def clone(self, x: Any) -> Any:
        return x.copy()

    def dtype_of(self, x: Any) -> str:
        return str(x.dtype)

    def backward(self, output: Any) -> None:
        raise RuntimeError("this engine has no gradient")


class Slow(Healthy):
    """Does everything, a little later."""

    def detach(self, x: Any) -> Any:
        time.sleep(0.15)
        return x


class WaitsOnce(Healthy):
    """Waits in one verb, and says so by a file, until its process is ended; with the file there it does not wait."""

    def detach(self, x: Any) -> Any:
        waiting = Path(os.environ["WAITING"])
        if not waiting.exists():
            waiting.touch()
            time.sleep(60)
        return x


class ExitsTheProcess(Healthy):
    """Calls os._exit in one verb."""

    def detach(self, x: Any) -> Any:
        os._exit(0)


class LoopsForever(Healthy):
    """Never returns, in Python."""

    def detach(self, x: Any) -> Any:
        while True:
            time.sleep(0.001)


class RaisesSystemExit(Healthy):
    """Asks the interpreter to exit, with status 0."""

    def detach(self, x: Any) -> Any:
        sys.exit(0)


class RaisesKeyboardInterrupt(Healthy):
    """Raises what Ctrl-C would."""

    def detach(self, x: Any) -> Any:
        raise KeyboardInterrupt


class HasABug(Healthy):
    """Misspells a name."""

    def detach(self, x: Any) -> Any:
        return x.detatch()


def arrays_are_numpys(ad: Any) -> None:
    """NumPy's arrays have nothing to be detached from."""
    assert isinstance(ad.array([1.0]), np.ndarray)


class LacksDetaching(Healthy):
    """Lacks a verb by design, and proves it."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", arrays_are_numpys),)


class BreaksItsPromise(Healthy):
    """Returns other numbers than it documents."""

    def detach(self, x: Any) -> Any:
        return x + 1


class RaisesAnotherError(Healthy):
    """Raises an error, but not the documented one."""

    def backward(self, output: Any) -> None:
        raise ValueError("no gradient")


class PromisesNothing(BreaksItsPromise):
    """Returns other numbers, and promises nothing."""

    @property
    def held_to(self) -> dict[str, str]:
        return {"jax": "0.10"}


class Nameless(Healthy):
    """Has no name."""

    name = ""


class NotAnAdapter:
    """Is not derived from Adapter."""


class Varied(Healthy):
    """Names another adapter for a parameter without a value."""

    name = "varied"
    variants = {"other": "tests.zoo.adapters:Other"}  # noqa: RUF012


class Other(Varied):
    """The variant that is meant by `other`."""

    name = "varied:other"
