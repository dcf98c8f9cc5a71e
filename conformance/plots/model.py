"""The model of curves: an operation and its derivative near a point where an engine failed, as each mode computes them.

`conformance.plots.compute` computes them in the engine's process; reports draw them.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

# Points at which some engine fails: every engine computes a curve there. Written by `python -m workshop plots`.
PLACES_FILE = Path(__file__).with_name("places.json")


# Ordered, as the file of places is.
class CurvePlace(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """A point of an operation, the same for every engine, and the order of the derivative that is looked at there.

    `at` is the kind of point, `variant` the number of the options, `step` how far the point is simplified.
    """

    operation: str
    order: int
    at: str
    variant: int = 0
    step: int = 0

    @property
    def name(self) -> str:
        """The place in words."""
        return f"{self.operation}, order {self.order}, {self.at} {self.variant} {self.step}"


def plotted_places() -> list[CurvePlace]:
    """The places at which some engine fails, in the order of their operations."""
    return msgspec.json.decode(PLACES_FILE.read_bytes(), type=list[CurvePlace])


class ModeCurve(msgspec.Struct, frozen=True, omit_defaults=True):
    """The derivative by one mode.

    `got` is the number at the point, or empty where an error, `problem`, was raised. `values` are there if it is
    wrong; None: no finite number.
    """

    mode: str
    agrees: bool = True
    # Text, as JSON has neither NaN nor infinities.
    got: str = ""
    problem: str = ""
    values: list[float | None] = []


class Curve(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an engine computes at a place.

    `call` is the operation at the point. `expected` is the derivative there, or at a kink those from the left and from
    the right; `exact`: by mpmath, else by central differences. Where a mode is wrong, `ts` are distances from the point
    along a direction, and `value` and `true` the function and its derivative there. `origin` is the argument at the
    point if there is one argument, which then moves by t.
    """

    place: CurvePlace
    call: str
    expected: list[str]
    modes: list[ModeCurve]
    exact: bool = False
    origin: float | None = None
    ts: list[float] = []
    value: list[float | None] = []
    value_there: float | None = None
    true: list[float | None] = []

    @property
    def wrong(self) -> bool:
        """Whether a mode is wrong there."""
        return any(not mode.agrees for mode in self.modes)
