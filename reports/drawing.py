"""Drawing a picture by matplotlib: the function above, its derivative below, and what the lines are."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from reports.picture_groups import ORDINALS, Content, Group, named, shown

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
LEFT, RIGHT, HEAD, BETWEEN, FOOT = 64.0, 12.0, 26.0, 26.0, 42.0
# Characters in a line of the legend, and of the title.
LETTERS = 104
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


class Entry(NamedTuple):
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
        _function(upper, found)
        _derivative(lower, found)
        title = textwrap.shorten(_capital(found.title), LETTERS, placeholder=" …")
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
    axes.tick_params(length=3)
    return axes


def _function(axes: Any, found: Content) -> None:
    """The function itself."""
    curve = found.curve
    xs, ys = [*curve.ts, 0.0], [*curve.value, curve.value_there]
    points = sorted(zip(xs, map(_number, ys), strict=True))
    axes.plot([_at(found, x) for x, _ in points], [y for _, y in points], color=INK, linewidth=1.2)
    low, high = _limits([y for _, y in points], ())
    axes.set_ylim(low, high)
    _mark_point(axes, found)
    if curve.value_there is not None:
        axes.plot(_at(found, 0.0), curve.value_there, "o", color=INK, markersize=4)
    axes.set_ylabel("function")
    axes.tick_params(labelbottom=False)


def _derivative(axes: Any, found: Content) -> None:
    """The true derivative as a wide pale line, and what is wrong."""
    curve = found.curve
    expected = [float(one) for one in curve.expected]
    # At a kink the line is broken.
    there = [(0.0, expected[0] if len(expected) == 1 else math.nan)]
    points = sorted([*zip(curve.ts, map(_number, curve.true), strict=True), *there])
    axes.plot([_at(found, x) for x, _ in points], [y for _, y in points], color=TRUTH, linewidth=7)
    limits = _limits([y for _, y in points] + expected, found.wrong)
    axes.set_ylim(*limits)
    _mark_point(axes, found)
    here = _at(found, 0.0)
    axes.plot([here] * len(expected), expected, "-o", color=TRUTH, linewidth=7, markersize=11)
    for number, group in enumerate(found.wrong[: len(WRONG)]):
        ys = [_clipped(_number(y), limits) for y in group.values]
        dashes = DASHES[number]
        xs = [_at(found, x) for x in curve.ts]
        axes.plot(xs, ys, color=WRONG[number], linewidth=1.6, dashes=dashes or (None, None))
        _mark_wrong(axes, here, group.got, limits, number)
    axes.set_ylabel(ORDINALS[curve.place.order])
    moving = "x" if curve.origin is not None else "distance from the point, along a direction"
    axes.set_xlabel(moving, labelpad=2)


def _mark_point(axes: Any, found: Content) -> None:
    axes.axvline(_at(found, 0.0), color=LINE, linewidth=0.8, dashes=(3, 3))


def _mark_wrong(axes: Any, x: float, got: float, limits: tuple[float, float], number: int) -> None:
    """What is got at the point; at the edge, with its number, where it is beyond it or no number."""
    low, high = limits
    if low <= got <= high:
        axes.plot(x, got, MARKERS[number], color=WRONG[number], markersize=9, clip_on=False)
        return
    top = got > high
    y = high if top else low
    marker = MARKERS[number] if math.isnan(got) else "^" if top else "v"
    axes.plot(x, y, marker, color=WRONG[number], markersize=9, clip_on=False)
    beside = (10 + 66 * number, -4 if top else 4)
    axes.annotate(shown(got), (x, y), beside, textcoords="offset points", color=WRONG[number], weight="bold", va="center")


def _at(found: Content, t: float) -> float:
    return (found.curve.origin or 0.0) + t


def _number(y: float | None) -> float:
    return math.nan if y is None else y


def _clipped(y: float, limits: tuple[float, float]) -> float:
    """Far beyond the edge is as good as at it, and shorter to write."""
    low, high = limits
    return y if math.isnan(y) else min(max(y, low - (high - low)), high + (high - low))


def _limits(numbers: Iterable[float], wrong: Sequence[Group]) -> tuple[float, float]:
    """The ends of an axis: of what is true but for extremes, of wrong lines as they mostly are, of what is not far."""
    low, high = _middle(numbers, 0.03)
    for group in wrong:
        its = _middle(map(_number, group.values), 0.2)
        low, high = min(low, its[0]), max(high, its[1])
    size = high - low
    for group in wrong:
        if low - 2 * size <= group.got <= high + 2 * size:
            low, high = min(low, group.got), max(high, group.got)
    if high - low <= 1e-6 * max(abs(low), abs(high), 1e-300):
        size = max(abs(low), abs(high)) or 1.0
        low, high = low - size / 2, high + size / 2
    margin = 0.12 * (high - low)
    return low - margin, high + margin


def _middle(numbers: Iterable[float], cut: float) -> tuple[float, float]:
    """The least and the largest of the finite numbers, without that part of them at both ends."""
    found = sorted(x for x in numbers if math.isfinite(x))
    if not found:
        return math.inf, -math.inf
    without = int(len(found) * cut)
    return found[without], found[-1 - without]


def _legend(found: Content) -> Iterator[Entry]:
    """What the lines are, the truth first."""
    modes = [one.mode for one in found.curve.modes]
    source = "exact" if found.curve.exact else "differences"
    yield Entry(f"expected {found.expected}" + (f" ({source})" if len(found.curve.expected) == 1 else ""), None, TRUTH)
    for number, group in enumerate(found.wrong):
        text = f"{shown(group.got)} {group.extent} — {named(group.members, modes)}"
        drawn = number < len(WRONG)
        yield Entry(_wrapped(text), number if drawn else None, WRONG[number] if drawn else QUIET)
    if found.agree:
        yield Entry(_wrapped(f"agree — {named(found.agree, modes)}"), None, QUIET)
    if found.raised:
        yield Entry(_wrapped(f"raise an error — {named(found.raised, modes)}"), None, QUIET)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, LETTERS)


def _write(figure: Any, legend: Iterable[Entry], height: float) -> None:
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
