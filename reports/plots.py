"""Plots of failing cells as numbers: an operation and its derivative near a point. The page's script draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from conformance.plots.model import Curve, CurvePlace
from reports.beside import Curves
from reports.plot_groups import DRAWN, ORDINALS, Grouping, caption, format_number, grouped, legend

Points = tuple[tuple[float, float | None], ...]
# Parts of the window. The widest is drawn in which an error at the point is visible: at least VISIBLE of the range of
# the true derivative.
ZOOMS, VISIBLE = (1.0, 0.5, 0.25, 0.125, 1e-2, 1e-3), 0.12


class Line(NamedTuple):
    """A line of a panel: its style (`value`, `true`, or the number of a wrong group), and its points; None: a gap."""

    style: str
    points: Points


class Mark(NamedTuple):
    """A marker at the point: style, height, label, and 1 or -1 if its number is beyond the upper or lower edge."""

    style: str
    y: float
    label: str = ""
    beyond: int = 0


class Panel(NamedTuple):
    """A pair of axes: label and limits of the vertical axis, lines, and marks at the point."""

    label: str
    low: float
    high: float
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]


class Plot(NamedTuple):
    """A plot of a place: title, text alternative, label of the horizontal axis, the point on it, panels, legend.

    The legend has a style and a text for each line; an empty style for what is not drawn.
    """

    title: str
    caption: str
    label: str
    point: float
    panels: tuple[Panel, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


# By operation, engine and law.
Plots = Mapping[tuple[str, str, str], Plot]


def plots_of_places(files: Mapping[str, Curves]) -> dict[CurvePlace, Plot]:
    """The plots by place, of the curves of the engines by column.

    Curves of all engines at a place are in a single plot; each place at which an engine is wrong has a plot.
    """
    by_place: dict[CurvePlace, dict[str, Curve]] = {}
    for column, file in files.items():
        for curve in file.curves:
            by_place.setdefault(curve.place, {})[column] = curve
    groupings = {place: grouped(by_place[place]) for place in sorted(by_place)}
    return {place: _plot(grouping) for place, grouping in groupings.items() if grouping}


def plots_of_cells(files: Mapping[str, Curves]) -> Plots:
    """The plot of each cell whose place has a plot."""
    by_place = plots_of_places(files)
    plots = {}
    for column, file in files.items():
        for cell, place in file.cells.items():
            law, _, operation = cell.rstrip("]").partition("[")
            if place in by_place:
                plots[operation, column, law] = by_place[place]
    return plots


def _plot(grouping: Grouping) -> Plot:
    curve, half = grouping.curve, _half(grouping)
    return Plot(
        # Not `capitalize`, which would make all that follows lower case.
        grouping.title[:1].upper() + grouping.title[1:],
        caption(grouping),
        "x" if curve.origin is not None else "distance from the point, along a direction",
        curve.origin or 0.0,
        (_function(grouping, half), _derivative(grouping, half)),
        tuple(legend(grouping)),
    )


def _function(grouping: Grouping, half: float) -> Panel:
    """The function itself."""
    curve = grouping.curve
    points = _points(grouping, curve.ts, curve.value, [curve.value_there], half)
    # A function that hardly changes in the window is to look flat, and not like its rounding.
    low, high = _limits(_heights(points), (), least=1e-3)
    marks = (Mark("value", curve.value_there),) if curve.value_there is not None else ()
    return Panel("function", low, high, (Line("value", points),), marks)


def _derivative(grouping: Grouping, half: float) -> Panel:
    """The true derivative, and the wrong ones."""
    curve, wrong = grouping.curve, grouping.wrong
    expected = [float(number) for number in curve.expected if math.isfinite(float(number))]
    is_kink = len(curve.expected) > 1
    # At a kink lines are broken; elsewhere a wrong line goes past the point, where its mark is.
    true = _points(grouping, curve.ts, curve.true, [None] if is_kink else expected, half)
    lines = [_points(grouping, group.ts, group.values, [None] if is_kink else [], half) for group in wrong]
    low, high = _limits([*_heights(true), *expected], map(_heights, lines), [group.got for group in wrong])
    drawn = [Line(str(at), _clip(line, low, high)) for at, line in enumerate(lines[:DRAWN])]
    marks = [Mark("true", number) for number in expected]
    marks += [_mark(str(at), group.got, low, high) for at, group in enumerate(wrong[:DRAWN])]
    between = (Line("true", tuple((curve.origin or 0.0, number) for number in expected)),) if is_kink else ()
    label = ORDINALS[curve.place.order]
    return Panel(label, low, high, (Line("true", _clip(true, low, high)), *between, *drawn), tuple(marks))


def _points(
    grouping: Grouping,
    ts: Iterable[float],
    values: Iterable[float | None],
    there: Iterable[float | None],
    half: float,
) -> Points:
    """Places on the axis with values, in order; `there` is the value at the point, if it belongs to the line."""
    beside = [(t, y) for t, y in zip(ts, values, strict=True) if abs(t) <= half]
    # By the place alone: a gap, None, cannot be compared.
    points = sorted([*beside, *((0.0, y) for y in there)], key=lambda point: point[0])
    return tuple(((grouping.curve.origin or 0.0) + t, y) for t, y in points)


def _half(grouping: Grouping) -> float:
    """Half of the plot's width: the distance from the point that it reaches."""
    curve = grouping.curve
    wide = max(abs(t) for t in curve.ts)
    expected = [float(number) for number in curve.expected]
    local = [group.got for group in grouping.wrong if group.is_local and math.isfinite(group.got)]
    errors = [min(abs(got - true) for true in expected) for got in local]
    for part in ZOOMS:
        inside = [y for t, y in zip(curve.ts, curve.true, strict=True) if abs(t) <= part * wide]
        low, high = _middle([*inside, *expected], 0.0)
        if all(error >= VISIBLE * (high - low) for error in errors):
            return part * wide
    return wide


def _mark(style: str, got: float, low: float, high: float) -> Mark:
    """The number at the point; at the edge where it is beyond that, or is no number."""
    edge = 0.05 * (high - low)
    if low <= got <= high:
        return Mark(style, got, format_number(got))
    beyond = 0 if math.isnan(got) else 1 if got > high else -1
    return Mark(style, high - edge if got > high else low + edge, format_number(got), beyond)


def _heights(points: Points) -> list[float | None]:
    return [y for _, y in points]


def _clip(points: Points, low: float, high: float) -> Points:
    """Heights within a range of the limits: far beyond an edge looks as at it."""
    size = high - low
    return tuple((x, None if y is None else min(max(y, low - size), high + size)) for x, y in points)


def _limits(
    true: Iterable[float | None],
    wrong: Iterable[Iterable[float | None]],
    got: Iterable[float] = (),
    least: float = 1e-6,
) -> tuple[float, float]:
    """The limits of an axis: true numbers but for extremes, most of each wrong line, numbers that are not far."""
    ranges = [_middle(true, 0.03), *(_middle(line, 0.2) for line in wrong)]
    low, high = min(start for start, _ in ranges), max(end for _, end in ranges)
    if low > high:  # no finite number at all
        low = high = 0.0
    # A wrong number beyond this is marked at the edge (`_mark`): within, it would make the true line flat.
    far = max(2 * (high - low), abs(low), abs(high))
    near = [number for number in got if low - far <= number <= high + far]
    low, high = min([low, *near]), max([high, *near])
    margin = max(0.12 * (high - low), least * max(abs(low), abs(high)) or 1.0)
    return low - margin, high + margin


def _middle(heights: Iterable[float | None], cut: float) -> tuple[float, float]:
    """The least and the largest of the finite numbers, without that part of them at both ends; None is a gap."""
    finite = sorted(y for y in heights if y is not None and math.isfinite(y))
    if not finite:
        return math.inf, -math.inf
    without = int(len(finite) * cut)
    return finite[without], finite[-1 - without]
