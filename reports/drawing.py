"""Drawing a picture by matplotlib: the function above, its derivative below, and what the lines are."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from reports.picture_groups import ORDINALS, Content, named, shown

__all__ = ["COLOURS", "draw"]

# In the places of these colours come CSS variables: their names, and what they are in a light and in a dark page.
COLOURS = {
    "#010101": ("ink", "#191e24", "#e8ebef"),
    "#020202": ("quiet", "#55606b", "#9ba6b2"),
    "#030303": ("line", "#c9d0d8", "#3b444e"),
    "#040404": ("truth", "#a9d8bd", "#2f7a54"),
    "#050505": ("first", "#c0122f", "#ff7a88"),
    "#060606": ("second", "#8a4b00", "#f5b94a"),
    "#070707": ("third", "#6a35c4", "#bfa5ff"),
    "#080808": ("fourth", "#0a58b5", "#7db8ff"),
}
INK, QUIET, LINE, TRUTH, *WRONG = COLOURS
# Not colours alone: markers and dashes.
MARKERS = ("X", "D", "s", "P")
DASHES = ((), (5, 2), (2, 2), (6, 2, 1, 2))
# In points: of the picture, of its panels, and of a line of text.
WIDTH, UPPER, LOWER, LEADING = 600.0, 80.0, 190.0, 15.0
LEFT, RIGHT, HEAD, BETWEEN, FOOT = 74.0, 12.0, 26.0, 26.0, 42.0
# Characters in a line of the legend, and of the title.
LETTERS, OF_TITLE = 104, 84
# Parts of the window, of which the widest is shown in which what is wrong at the point can be seen: that part of the
# range of the true derivative.
ZOOMS, VISIBLE = (1.0, 0.5, 0.25, 0.125, 1e-2, 1e-3), 0.12
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "autograd-conformance",
    "font.size": 10,
    "axes.edgecolor": LINE,
    "axes.labelcolor": QUIET,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "axes.formatter.useoffset": False,
    "path.simplify": False,
}


class LegendLine(NamedTuple):
    """A line of the legend: its text, and the number of the group that it is about; None: what is no group."""

    text: str
    group: int | None
    colour: str


def draw(found: Content) -> str:
    """The picture as SVG, with the colours of COLOURS. Raises ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    legend = list(_legend(found))
    height = HEAD + UPPER + BETWEEN + LOWER + FOOT + LEADING * sum(one.text.count("\n") + 1 for one in legend)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        figure.patch.set_visible(False)
        upper = _panel(figure, height - HEAD - UPPER, UPPER, height)
        lower = _panel(figure, height - HEAD - UPPER - BETWEEN - LOWER, LOWER, height)
        half = _half(found)
        _function(upper, found, half)
        _derivative(lower, found, half)
        title = textwrap.shorten(_capital(found.title), OF_TITLE, placeholder=" …")
        figure.text(4 / WIDTH, 1 - 14 / height, title, weight="bold", fontsize=11)
        _write(figure, legend, height)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _panel(figure: Any, bottom: float, height: float, whole: float) -> Any:
    place = (LEFT / WIDTH, bottom / whole, (WIDTH - LEFT - RIGHT) / WIDTH, height / whole)
    axes = figure.add_axes(place)
    axes.patch.set_visible(False)
    axes.margins(x=0.02)
    axes.locator_params(axis="y", nbins=4)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(length=0)
    axes.yaxis.set_label_coords(-62 / (WIDTH - LEFT - RIGHT), 0.5)
    return axes


def _function(axes: Any, found: Content, half: float) -> None:
    """The function itself."""
    curve = found.curve
    points = _points(found, curve.ts, curve.value, [_number(curve.value_there)], half)
    axes.plot(*zip(*points, strict=True), color=INK, linewidth=1.2)
    axes.set_ylim(*_limits([y for _, y in points], (), least=1e-3))
    _mark_point(axes, found)
    if curve.value_there is not None:
        axes.plot(_at(found, 0.0), curve.value_there, "o", color=INK, markersize=4)
    axes.set_ylabel("function")
    axes.tick_params(labelbottom=False)


def _derivative(axes: Any, found: Content, half: float) -> None:
    """The true derivative as a wide pale line, and what is wrong."""
    curve = found.curve
    expected = [float(one) for one in curve.expected]
    # At a kink the lines are broken.
    is_kink = len(expected) > 1
    points = _points(found, curve.ts, curve.true, [math.nan] if is_kink else expected, half)
    axes.plot(*zip(*points, strict=True), color=TRUTH, linewidth=7)
    lines = [_points(found, one.ts, one.values, [math.nan] if is_kink else [], half) for one in found.wrong]
    numbers = [y for _, y in points] + expected
    limits = _limits(numbers, [[y for _, y in line] for line in lines], [one.got for one in found.wrong])
    axes.set_ylim(*limits)
    _mark_point(axes, found)
    here = _at(found, 0.0)
    axes.plot([here] * len(expected), expected, "-o", color=TRUTH, linewidth=7, markersize=11)
    for number, (group, line) in enumerate(zip(found.wrong[: len(WRONG)], lines, strict=False)):
        xs, ys = [x for x, _ in line], [_clipped(y, limits) for _, y in line]
        axes.plot(xs, ys, color=WRONG[number], linewidth=1.6, dashes=DASHES[number] or (None, None))
        _mark_wrong(axes, here, group.got, limits, number, group.got < expected[0])
    axes.set_ylabel(ORDINALS[curve.place.order])
    axes.set_xlabel("x" if curve.origin is not None else "distance from the point, along a direction", labelpad=2)


def _points(
    found: Content, ts: Iterable[float], values: Iterable[float | None], there: Iterable[float], half: float
) -> list[tuple[float, float]]:
    """Places on the axis with values, in order; `there` is the value at the point, if it belongs to the line."""
    beside = [(t, _number(y)) for t, y in zip(ts, values, strict=True) if abs(t) <= half]
    return [(_at(found, t), y) for t, y in sorted([*beside, *((0.0, y) for y in there)])]


def _half(found: Content) -> float:
    """How far from the point the picture reaches."""
    curve = found.curve
    wide = max(abs(t) for t in curve.ts)
    expected = [float(one) for one in curve.expected]
    local = [one for one in found.wrong if one.is_local and math.isfinite(one.got)]
    off = [min(abs(one.got - true) for true in expected) for one in local]
    for part in ZOOMS:
        inside = [y for t, y in zip(curve.ts, curve.true, strict=True) if y is not None and abs(t) <= part * wide]
        low, high = _middle([*inside, *expected], 0.0)
        if all(one >= VISIBLE * (high - low) for one in off):
            return part * wide
    return wide


def _mark_point(axes: Any, found: Content) -> None:
    axes.axvline(_at(found, 0.0), color=LINE, linewidth=0.8, dashes=(3, 3))


def _mark_wrong(axes: Any, x: float, got: float, limits: tuple[float, float], number: int, below: bool) -> None:
    """What is got at the point, with its number; at the edge where it is beyond it, or no number."""
    low, high = limits
    inside = low <= got <= high
    edge = 0.05 * (high - low)
    y = got if inside else high - edge if got > high else low + edge
    marker = MARKERS[number] if inside or math.isnan(got) else "^" if got > high else "v"
    axes.plot(x, y, marker, color=WRONG[number], markersize=9, clip_on=False)
    # Away from what is expected; at the edge beside each other.
    beside = (8, -11 if below else 11) if inside else (10 + 66 * number, 0)
    axes.annotate(
        shown(got), (x, y), beside, textcoords="offset points", color=WRONG[number], weight="bold", va="center"
    )


def _at(found: Content, t: float) -> float:
    return (found.curve.origin or 0.0) + t


def _number(y: float | None) -> float:
    return math.nan if y is None else y


def _clipped(y: float, limits: tuple[float, float]) -> float:
    """Far beyond the edge is as good as at it, and shorter to write."""
    low, high = limits
    return y if math.isnan(y) else min(max(y, low - (high - low)), high + (high - low))


def _limits(
    numbers: Sequence[float], wrong: Iterable[Iterable[float]], got: Iterable[float] = (), least: float = 1e-6
) -> tuple[float, float]:
    """The ends of an axis: of what is true but for extremes, of wrong lines as they mostly are, of what is not far."""
    ranges = [_middle(numbers, 0.03), *(_middle(line, 0.2) for line in wrong)]
    low, high = min(one for one, _ in ranges), max(one for _, one in ranges)
    far = max(2 * (high - low), abs(low), abs(high))
    near = [one for one in got if low - far <= one <= high + far]
    low, high = min([low, *near]), max([high, *near])
    margin = max(0.12 * (high - low), least * max(abs(low), abs(high)) or 1.0)
    return low - margin, high + margin


def _middle(numbers: Iterable[float], cut: float) -> tuple[float, float]:
    """The least and the largest of the finite numbers, without that part of them at both ends."""
    found = sorted(x for x in numbers if math.isfinite(x))
    if not found:
        return math.inf, -math.inf
    without = int(len(found) * cut)
    return found[without], found[-1 - without]


def _legend(found: Content) -> Iterator[LegendLine]:
    """What the lines are, the truth first."""
    modes = [one.mode for one in found.curve.modes]
    source = "exact" if found.curve.exact else "differences"
    yield LegendLine(
        f"expected {found.expected}" + (f" ({source})" if len(found.curve.expected) == 1 else ""), None, TRUTH
    )
    for number, group in enumerate(found.wrong):
        text = f"{shown(group.got)} {group.extent} — {named(group.members, modes)}"
        drawn = number < len(WRONG)
        yield LegendLine(_wrapped(text), number if drawn else None, WRONG[number] if drawn else QUIET)
    if found.agree:
        yield LegendLine(_wrapped(f"agree — {named(found.agree, modes)}"), None, QUIET)
    if found.raised:
        yield LegendLine(_wrapped(f"raise an error — {named(found.raised, modes)}"), None, QUIET)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, LETTERS)


def _write(figure: Any, legend: Iterable[LegendLine], height: float) -> None:
    """The legend, below the panels, each line after a piece of what it is about."""
    from matplotlib.lines import Line2D

    y = height - HEAD - UPPER - BETWEEN - LOWER - FOOT
    for entry in legend:
        if entry.colour != QUIET:
            number = entry.group
            look: dict[str, Any] = {"linewidth": 7} if number is None else {"linewidth": 1.6, "marker": MARKERS[number]}
            if number is not None and DASHES[number]:
                look["dashes"] = DASHES[number]
            xs, ys = [6 / WIDTH, 22 / WIDTH, 38 / WIDTH], [(y + 1) / height] * 3
            figure.add_artist(Line2D(xs, ys, color=entry.colour, markevery=(1, 2), markersize=7, **look))
        colour = QUIET if entry.colour == QUIET else INK
        for line in entry.text.split("\n"):
            figure.text(46 / WIDTH, (y - 2.5) / height, line, color=colour)
            y -= LEADING
