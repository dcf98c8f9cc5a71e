"""Adapters whose values are not what a value should be, each in one way."""

from __future__ import annotations

import itertools
import threading
from typing import Any, NoReturn

import numpy as np

from tests.zoo.adapters import Healthy


class GivesNaN(Healthy):
    """Returns no number."""

    def detach(self, x: Any) -> Any:
        return x * np.nan


class GivesText(Healthy):
    """Returns text that looks like the numbers."""

    def detach(self, x: Any) -> Any:
        return "[3.0]"


class GivesNothing(Healthy):
    """Returns None."""

    def detach(self, x: Any) -> Any:
        return None


class GivesAnotherShape(Healthy):
    """Returns the number without its axis."""

    def detach(self, x: Any) -> Any:
        return x[0]


class GivesObjects(Healthy):
    """Returns an array of objects that are equal to the numbers."""

    def detach(self, x: Any) -> Any:
        return x.astype(object)


class Lazy:
    """Fails when it is looked at."""

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("computed too late")


class FailsLazily(Healthy):
    """Returns a value that fails only when its numbers are asked for."""

    def detach(self, x: Any) -> Any:
        return Lazy()


class ChangesAtEachCall(Healthy):
    """Returns other numbers at each call, the right ones at the second."""

    # Wrong first, then right: a harness that tried a failing cell once more would let it pass.
    calls = itertools.count(-1)

    def detach(self, x: Any) -> Any:
        return x + next(self.calls)


class Unpicklable(np.ndarray):
    """Holds a lock, and so cannot be sent to another process."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot be pickled")


class GivesWhatCannotBePickled(Healthy):
    """Returns the right numbers in an array that cannot leave its process."""

    def detach(self, x: Any) -> Any:
        return x.view(Unpicklable)


class RaisesWhatCannotBePickled(Healthy):
    """Raises an exception that holds a lock and needs two arguments to be made."""

    class DetachError(RuntimeError):
        def __init__(self, what: str, lock: Any) -> None:
            super().__init__(what)
            self.lock = lock

    def detach(self, x: Any) -> Any:
        # `pickle` would make it anew from its `args`, which have one of the two arguments, and no lock.
        raise self.DetachError("not today", threading.Lock())


class RaisesInSayingWhy(Healthy):
    """Raises an exception that cannot say what it is."""

    class DetachError(RuntimeError):
        def __str__(self) -> NoReturn:
            raise ValueError("speechless")

    def detach(self, x: Any) -> Any:
        raise self.DetachError


class Contrary(str):
    """Text that raises an error when compared or shown."""

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("incomparable")

    def __repr__(self) -> NoReturn:
        raise RuntimeError("unshowable")

    __hash__ = str.__hash__


class CannotBeCompared(Healthy):
    """Names a dtype that raises when it is compared."""

    def dtype_of(self, x: Any) -> Any:
        return Contrary("float64")


class Agreeing:
    """Is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


class AgreesWithEverything(Healthy):
    """Names a dtype that is equal to everything."""

    def dtype_of(self, x: Any) -> Any:
        return Agreeing()
