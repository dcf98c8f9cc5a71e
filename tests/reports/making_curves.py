"""Curves of made-up engines, for plots."""

from __future__ import annotations

from conformance.plots.model import Curve, CurvePlace, ModeCurve
from reports.beside import CurvesFile


def curve_file(got: str = "2.0", column: str = "one", values: list[float] | None = None) -> dict[str, CurvesFile]:
    """The curve of a made-up engine whose forward mode is wrong at the point alone: x^2 at 1."""
    ts = [k / 10 for k in range(-10, 11) if k]
    true: list[float | None] = [2 * (1 + t) for t in ts]
    place = CurvePlace("square", 1, "one")
    modes = [ModeCurve("reverse", True, "2.0"), ModeCurve("forward", False, got, values=[*(values or true)])]
    curve = Curve(place, "square(1.0)", ["2.0"], modes, True, 1.0, ts, [(1 + t) ** 2 for t in ts], 1.0, true)
    return {column: CurvesFile("", {place: curve})}
