"""Groups of a plot: which engines and modes agree with the truth, and which give the same wrong numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.plots.model import Curve, ModeCurve

ORDINALS = {1: "derivative", 2: "second derivative", 3: "third derivative"}
# The extent of a deviation beside the point.
NOWHERE, CLOSE, ONE_SIDE = "at this point only", "at this point and near it", "at this point and on one side"
BOTH_SIDES, EVERYWHERE = "at this point and on both sides", "at this point and everywhere around it"
# The number of wrong groups that are drawn, each in a colour, with a marker and a dash; the legend has all.
DRAWN = 4
# Of the range of the true derivative: a difference that cannot be seen in a plot.
INVISIBLE = 0.01
# Of the same range: rounding of zero.
TINY = 1e-12
# Part of the window, from the point: a deviation within it is close.
NEAR = 0.35


@dataclass(frozen=True)
class Group:
    """Engines' modes that give the same wrong derivative: at the point, and beside it."""

    got: float
    ts: Sequence[float]
    values: Sequence[float | None]
    extent: str
    members: dict[str, list[str]] = field(default_factory=dict)

    @property
    def is_local(self) -> bool:
        """Whether it is right at most other points."""
        return self.extent not in (BOTH_SIDES, EVERYWHERE)


@dataclass(frozen=True)
class Grouping:
    """The modes of all engines at a place, in groups. `curve` is that of the first engine that is wrong."""

    curve: Curve
    wrong: list[Group]
    agree: dict[str, list[str]]
    raised: dict[str, list[str]]

    @property
    def expected(self) -> str:
        """The true derivative at the point, or those of both sides of a kink."""
        return " to ".join(format_number(float(number)) for number in self.curve.expected)

    @property
    def title(self) -> str:
        """The order of the derivative, and the operation at the point."""
        return f"{ORDINALS[self.curve.place.order]} of {self.curve.call}"


def grouped(curves: Mapping[str, Curve]) -> Grouping | None:
    """Group the modes of the curves, by column. None where no engine is wrong, or there are no numbers."""
    # A curve without numbers is of an engine that is right there, and only compared at the point.
    first = next((curve for curve in curves.values() if curve.wrong and curve.ts), None)
    if first is None:
        return None
    grouping = Grouping(first, [], {}, {})
    for column, curve in curves.items():
        for mode in curve.modes:
            _add(grouping, column, curve, mode)
    return grouping if grouping.wrong else None


def _add(grouping: Grouping, column: str, curve: Curve, mode: ModeCurve) -> None:
    if mode.problem:
        grouping.raised.setdefault(column, []).append(mode.mode)
    elif mode.agrees:
        grouping.agree.setdefault(column, []).append(mode.mode)
    else:
        new = Group(float(mode.got), curve.ts, mode.values, _extent(curve, mode))
        group = next((group for group in grouping.wrong if _alike(group, new, grouping.curve)), None)
        if group is None:
            grouping.wrong.append(group := new)
        group.members.setdefault(column, []).append(mode.mode)


def _alike(group: Group, other: Group, curve: Curve) -> bool:
    size = _size(curve)
    # The legend has the number: it must be the same in all digits that are printed.
    same_number = format_number(group.got) == format_number(other.got)
    # Curves over other places cannot be compared number by number.
    if group.ts != other.ts or not (same_number or max(abs(group.got), abs(other.got)) < TINY * size):
        return False
    return all(
        (x is None) == (y is None) and (x is None or y is None or abs(x - y) <= INVISIBLE * size)
        for x, y in zip(group.values, other.values, strict=True)
    )


def _size(curve: Curve) -> float:
    """The size of the true derivative in the window, but for extremes."""
    # The upper quartile: beside a pole, every deviation would be small.
    numbers = sorted(abs(x) for x in curve.true if x is not None)
    return numbers[len(numbers) * 3 // 4] if numbers else 0.0


def _extent(curve: Curve, mode: ModeCurve) -> str:
    """The extent of a mode's deviation beside the point."""
    size = _size(curve)
    off = [
        t
        for t, x, true in zip(curve.ts, mode.values, curve.true, strict=True)
        if true is not None and (x is None or abs(x - true) > INVISIBLE * size)
    ]
    wide = max(abs(t) for t in curve.ts)
    if not off:
        return NOWHERE
    if max(map(abs, off)) <= NEAR * wide:
        return CLOSE
    if len(off) > 0.9 * len(curve.ts):
        return EVERYWHERE
    sides = {t > 0 for t in off}
    return BOTH_SIDES if len(sides) == 2 else ONE_SIDE


def format_number(number: float) -> str:
    """A number with the digits that people compare."""
    if not math.isfinite(number):
        return str(number).replace("-inf", "−inf")
    return f"{number + 0.0:.6g}".replace("-", "−")  # and no negative zero


def _names(members: Mapping[str, Iterable[str]], modes: Sequence[str]) -> str:
    """Engines with their modes."""
    return "; ".join(
        f"{column}: {'all modes' if len(modes) > 1 and list(its) == list(modes) else ', '.join(its)}"
        for column, its in members.items()
    )


def legend(grouping: Grouping) -> Iterator[tuple[str, str]]:
    """The lines of the legend, each with its style, empty for what is not drawn: the truth, wrong groups, the rest."""
    curve, modes = grouping.curve, [mode.mode for mode in grouping.curve.modes]
    source = f" ({'exact' if curve.exact else 'differences'})" if len(curve.expected) == 1 else ""
    yield "true", f"expected {grouping.expected}{source}"
    for number, group in enumerate(grouping.wrong):
        style = str(number) if number < DRAWN else ""
        yield style, f"{format_number(group.got)} {group.extent} — {_names(group.members, modes)}"
    if grouping.agree:
        yield "", f"agree — {_names(grouping.agree, modes)}"
    if grouping.raised:
        yield "", f"raise an error — {_names(grouping.raised, modes)}"


def caption(grouping: Grouping) -> str:
    """The plot in words, for those who do not see it."""
    lines = "; ".join(text for _, text in legend(grouping))
    return f"The {grouping.title} ({grouping.curve.place.at}): {lines}."
