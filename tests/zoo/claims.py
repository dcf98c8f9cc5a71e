"""Adapters whose verbs or declarations are not what the protocol asks for, each in one way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NoReturn

from conformance.protocol import Absence, vocabulary
from tests.zoo.adapters import Healthy, arrays_are_numpys


class SaysNothingOfDetaching(Healthy):
    """Lacks a verb, and does not say so."""

    detach = None


class TakesNoArgument(Healthy):
    """Has a verb that takes nothing, where the protocol gives an array."""

    def detach(self) -> Any:
        return None


class TakesAnotherArgument(Healthy):
    """Has a verb that wants more than the protocol gives."""

    def detach(self, x: Any, how: str) -> Any:
        return x


class IsNoFunction(Healthy):
    """Has a verb that cannot be called."""

    detach = 3


class RaisesOnSight(Healthy):
    """Has a verb that raises when it is looked up."""

    @property
    def detach(self) -> NoReturn:
        raise RuntimeError("do not look")


def _does_not_hold(ad: Any) -> None:
    assert ad.array([1.0])[0] == 2.0


class ClaimsAFalseAbsence(Healthy):
    """Claims to lack a verb; its own probe says otherwise."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", _does_not_hold),)


def _raises(ad: Any) -> None:
    raise RuntimeError("the probe met a bug")


def _exits(ad: Any) -> None:
    sys.exit(0)


class HasAProbeThatRaises(Healthy):
    """Claims to lack a verb; the probe comes upon something else."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", _raises),)


class HasAProbeThatExits(Healthy):
    """Claims to lack a verb; the probe asks the interpreter to exit."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", _exits),)


class LacksEverything(Healthy):
    """Lacks every verb but the one that its probe needs."""

    absences = (Absence(tuple({*vocabulary()} - {"array"}), "it is a stone", "the manual", arrays_are_numpys),)


class Yes:
    """Every operation on it returns it."""

    def _self(self, *args: Any, **kwargs: Any) -> Any:
        return self

    __call__ = __getitem__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __neg__ = _self

    def __getattr__(self, name: str) -> Any:
        # Else NumPy would take it for an array by `__array__`, and be given another Yes.
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


class HasEverything(Healthy):
    """Claims to have every verb there is, and says yes to everything."""

    def __getattribute__(self, name: str) -> Any:
        # Not every attribute: with a name that is no text it could not be loaded, and no cell would be tried.
        if name == "to_numpy" or name in vocabulary():
            return Yes()
        return super().__getattribute__(name)


class HasNoVersion(Healthy):
    """Does not know its version."""

    version = None


class IsHeldToNoSource(Healthy):
    """Is held to a source that the suite does not know."""

    held_to = {"torhc": "2.13"}  # noqa: RUF012


class IsHeldToNoVersion(Healthy):
    """Is held to documentation of a version that is none."""

    held_to = {"torch": "newest"}  # noqa: RUF012


class LacksWhatIsNoFeature(Healthy):
    """Declares a misspelt feature absent."""

    absences = (Absence(("detatch",), "nothing is attached", "the manual", arrays_are_numpys),)


class HasNoProbe(Healthy):
    """Declares an absence without proof."""

    absences = (Absence(("detach",), "nothing is attached", "the manual", None),)


class HasNoState(Healthy):
    """Returns None where a dictionary of its switches should be."""

    def global_state(self) -> Any:
        return None


class ExpectsNowhere(Healthy):
    """Says where its known failures are, but not with a path."""

    known_failures = "known.toml"


class ExpectsAFolder(Healthy):
    """Has a folder in the place of its known failures."""

    known_failures = Path(__file__).parent


class ExitsWhenMade(Healthy):
    """Asks the interpreter to exit when it is made."""

    def __init__(self, parameters: Any = None) -> None:
        sys.exit(0)
