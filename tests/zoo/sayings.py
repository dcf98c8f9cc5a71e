"""Adapters that declare something in an odd way, or otherwise each time, each in one way."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any, NoReturn

from conformance.protocol import Absence
from tests.zoo.adapters import Healthy, arrays_are_numpys


class Text(str):
    """A string that does not like to be one."""

    __slots__ = ()

    def __str__(self) -> NoReturn:
        raise RuntimeError("no text")

    __repr__ = __format__ = __eq__ = __str__  # type: ignore[assignment]
    __hash__ = str.__hash__


class HasAVersionOfItsOwnType(Healthy):
    """Has a version that is a string of a derived type, as torch has."""

    version = type("TorchVersion", (str,), {})("2.13.0+cpu")


class HasAHostileVersion(Healthy):
    """Has a version and a name that raise when they are made a text."""

    name = Text("toy")
    version = Text("1.0")


class HasAPathOfItsOwnType(Healthy):
    """Has known failures at a path of a derived type."""

    known_failures = type("Place", (type(pathlib.Path()),), {})(__file__).with_name("known.toml")


class ChangesItsPromise(Healthy):
    """Is held to another source each time it is asked."""

    asked = 0

    @property
    def held_to(self) -> dict[str, str]:
        self.asked += 1
        return {"torch": "2.13"} if self.asked == 1 else {"jax": "0.10"}

    def detach(self, x: Any) -> Any:
        return x + 1


class ForgetsItsAbsences(Healthy):
    """Declares an absence once, and raises when asked again."""

    asked = 0

    @property
    def absences(self) -> tuple[Absence, ...]:
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("asked before")
        return (Absence(("detach",), "nothing is attached", "the manual", arrays_are_numpys),)


class HasAHugeState(Healthy):
    """Has ten thousand switches, and leaves all of them turned."""

    state = dict.fromkeys(map(str, range(10_000)), 0)

    def global_state(self) -> Mapping[str, Any]:
        return self.state

    def restore(self, state: Mapping[str, Any]) -> None:
        type(self).state = dict(state)

    def detach(self, x: Any) -> Any:
        type(self).state = dict.fromkeys(self.state, 1)
        return x


class HasAStateThatRuns(Healthy):
    """Has a state that is another at each look, from one verb on."""

    step = count = 0

    def global_state(self) -> Mapping[str, Any]:
        self.count += self.step
        return {"count": self.count}

    def detach(self, x: Any) -> Any:
        # Not from the start, or the first cell would be the error.
        self.step = 1
        return x


class IsAnotherInEachProcess(Healthy):
    """Has another version in each process, of which it needs two."""

    @property
    def version(self) -> str:
        return str(os.getpid())

    def detach(self, x: Any) -> Any:
        os._exit(3)


class Shy(type(Healthy)):  # type: ignore[misc]
    """A class whose name must not be looked at."""

    def __getattribute__(cls, name: str) -> Any:
        if name == "name":
            raise RuntimeError("do not look")
        return super().__getattribute__(name)


class RaisesOnAGlance(Healthy, metaclass=Shy):
    """Raises when its class is looked at."""


class RaisesWhatIsNoException(Healthy):
    """Raises KeyboardInterrupt when asked for its version."""

    @property
    def version(self) -> str:
        raise KeyboardInterrupt


class SaysTooMuch(Healthy):
    """Has a version of four million characters."""

    # Four times the longest line that the recorder reads (exchange.LONGEST_LINE).
    version = "1" * 2**22


class SpeaksOfItselfInEscapes(Healthy):
    """Has a name and a version that a terminal would act on, of two lines."""

    name = "toy\x1b[2J\nTraceback"
    version = "1.0\x07\n2.0"
