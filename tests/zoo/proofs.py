"""Adapters that declare an absence; their probes are not what a probe should be, each in one way."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from conformance.protocol import Absence, vocabulary
from tests.zoo.adapters import Healthy, arrays_are_numpys


def lacking(probe: Callable[[Any], Any], *features: str) -> tuple[Absence, ...]:
    return (Absence(features or ("detach",), "nothing is attached", "the manual", probe),)


def _asks_nothing(ad: Any) -> None:
    pass


def _looks_only(ad: Any) -> None:
    assert getattr(ad, "no_such_verb", None) is None
    assert ad.array is not None


def _adds(ad: Any) -> None:
    assert float(ad.to_numpy(ad.array(1.0) + ad.array(1.0))) == 2.0


def _takes_from_the_shelf(ad: Any) -> None:
    assert ad.array([1.0]) is not None
    ad.shelf()


class NeverAsks(Healthy):
    """Its probe is an empty program."""

    absences = lacking(_asks_nothing)


class LooksOnly(Healthy):
    """Its probe looks attributes up, and calls none."""

    absences = lacking(_looks_only)


class HoldsEverywhere(Healthy):
    """Its probe shows what holds on every engine."""

    absences = lacking(_adds)


class AsksWhatOnlyItHas(Healthy):
    """Its probe calls a method that is no verb."""

    absences = lacking(_takes_from_the_shelf)

    def shelf(self) -> None:
        pass


class LacksEverythingUnasked(Healthy):
    """Claims to lack every verb; its probe is an empty program."""

    absences = lacking(_asks_nothing, *vocabulary())


class LacksEverythingAnyEngineHas(Healthy):
    """Claims to lack every verb; its probe shows what holds on every engine."""

    absences = lacking(_adds, *vocabulary())


class AnswersYes(Healthy):
    """Its probe returns whether it holds."""

    absences = lacking(lambda ad: isinstance(ad.array([1.0]), np.ndarray))


class Shown:
    """A probe whose constructor is the program."""

    def __init__(self, ad: Any) -> None:
        arrays_are_numpys(ad)


class IsAClass(Healthy):
    """Its probe is a class, which returns an object."""

    absences = lacking(Shown)


async def _awaited(ad: Any) -> None:
    arrays_are_numpys(ad)


class IsNeverAwaited(Healthy):
    """Its probe is a coroutine, which would have to be awaited."""

    absences = lacking(_awaited)


def _of_kind(kind: type, ad: Any) -> None:
    assert isinstance(ad.array([1.0]), kind)


class IsAPartial(Healthy):
    """Its probe is a function with one argument given."""

    absences = lacking(partial(_of_kind, np.ndarray))


class Program:
    """A probe that is an object, and no key of a dictionary."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, ad: Any) -> None:
        arrays_are_numpys(ad)


class IsAnObject(Healthy):
    """Its probe is an object that can be called."""

    absences = lacking(Program())


class Unusual(BaseException):
    """Not an Exception."""


def _gives_up(ad: Any) -> None:
    raise Unusual("neither yes nor no")


class GivesUp(Healthy):
    """Its probe raises what is no Exception."""

    absences = lacking(_gives_up)


def _interrupts(ad: Any) -> None:
    raise KeyboardInterrupt


class Interrupts(Healthy):
    """Its probe raises what Ctrl-C would."""

    absences = lacking(_interrupts)


def _interrupts_others(ad: Any) -> None:
    # Arrays of `Healthy` are NumPy's: another type means that the proof has come to the reference engine.
    if not isinstance(ad.array([1.0]), np.ndarray):
        raise KeyboardInterrupt


class InterruptsTheReference(Healthy):
    """Its probe raises what Ctrl-C would where it does not hold."""

    absences = lacking(_interrupts_others)


_calls = itertools.count()


def _holds_later(ad: Any) -> None:
    arrays_are_numpys(ad)
    # The count begins with 0, which is false.
    assert next(_calls), "not yet"


class HoldsTheSecondTime(Healthy):
    """Its probe does not hold when it is called first."""

    absences = lacking(_holds_later)


def _changes_numpy(ad: Any) -> None:
    np.seterr(divide="ignore")
    arrays_are_numpys(ad)


class ChangesHowNumPyErrs(Healthy):
    """Its probe leaves NumPy's error state changed."""

    absences = lacking(_changes_numpy)


def _hangs(ad: Any) -> None:
    while True:
        time.sleep(0.001)


class Hangs(Healthy):
    """Its probe never returns."""

    absences = lacking(_hangs)


def _hangs_elsewhere(ad: Any) -> None:
    while not isinstance(ad.array([1.0]), np.ndarray):
        time.sleep(0.001)


class HangsOnTheReference(Healthy):
    """Its probe never returns where it does not hold."""

    absences = lacking(_hangs_elsewhere)


def _aborts(ad: Any) -> None:
    os.abort()


class Aborts(Healthy):
    """Its probe ends the process."""

    absences = lacking(_aborts)
