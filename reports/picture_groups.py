"""What a picture says: which engines and modes agree with the truth, and which give the same wrong numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.curves import Curve, ModeCurve

__all__ = ["ORDINALS", "Content", "Group", "content", "described", "shown"]

ORDINALS = {1: "derivative", 2: "second derivative", 3: "third derivative"}
# Where a mode is wrong beside the point.
NOWHERE, CLOSE, ONE_SIDE = "at this point only", "at this point and near it", "at this point and on one side"
BOTH_SIDES, EVERYWHERE = "at this point and on both sides", "at this point and everywhere around it"
# Of the range of the true derivative: what cannot be told apart in a picture.
INVISIBLE = 0.01
# What is rounding of zero, as a part of that.
TINY = 1e-12
# Parts of the window, as counted from the point: a deviation in less than these is told as that.
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
class Content:
    """A picture's content: what all engines give at one place. `curve` is that of the first one that is wrong."""

    curve: Curve
    wrong: list[Group]
    agree: dict[str, list[str]]
    raised: dict[str, list[str]]

    @property
    def expected(self) -> str:
        """The true derivative at the point, or those of both sides of a kink."""
        return " to ".join(shown(float(one)) for one in self.curve.expected)

    @property
    def title(self) -> str:
        """Which derivative, of what and where."""
        return f"{ORDINALS[self.curve.place.order]} of {self.curve.call}"


def content(curves: Mapping[str, Curve]) -> Content | None:
    """What the engines give, by column. None where no engine is wrong, or nothing is drawn."""
    first = next((one for one in curves.values() if one.wrong and one.ts), None)
    if first is None:
        return None
    found = Content(first, [], {}, {})
    for column, curve in curves.items():
        for mode in curve.modes:
            _place(found, column, curve, mode)
    return found if found.wrong else None


def _place(found: Content, column: str, curve: Curve, mode: ModeCurve) -> None:
    """Put a mode where it belongs."""
    if mode.problem:
        found.raised.setdefault(column, []).append(mode.mode)
    elif mode.agrees:
        found.agree.setdefault(column, []).append(mode.mode)
    else:
        group = Group(float(mode.got), curve.ts, mode.values, _extent(curve, mode))
        same = next((one for one in found.wrong if _same(one, group, found.curve)), None)
        if same is None:
            found.wrong.append(same := group)
        same.members.setdefault(column, []).append(mode.mode)


def _same(one: Group, other: Group, curve: Curve) -> bool:
    size = _size(curve)
    # The number is told, and so it is the same in all digits that are.
    if one.ts != other.ts or not (
        shown(one.got) == shown(other.got) or max(abs(one.got), abs(other.got)) < TINY * size
    ):
        return False
    return all(
        (x is None) == (y is None) and (x is None or y is None or abs(x - y) <= INVISIBLE * size)
        for x, y in zip(one.values, other.values, strict=True)
    )


def _size(curve: Curve) -> float:
    """The size of the true derivative in the window, but for extremes."""
    numbers = sorted(abs(x) for x in curve.true if x is not None)
    return numbers[len(numbers) * 3 // 4] if numbers else 0.0


def _extent(curve: Curve, mode: ModeCurve) -> str:
    """Where a mode is wrong beside the point, in words."""
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


def shown(number: float) -> str:
    """A number as it is told, with the digits that people compare."""
    if not math.isfinite(number):
        return str(number).replace("-inf", "−inf")
    return f"{number + 0.0:.6g}".replace("-", "−")  # and no negative zero


def named(members: Mapping[str, Iterable[str]], modes: Iterable[str]) -> str:
    """Engines with their modes, as words."""
    every = list(modes)
    return "; ".join(
        f"{column}: {'all modes' if len(every) > 1 and list(its) == every else ', '.join(its)}"
        for column, its in members.items()
    )


def described(found: Content) -> str:
    """The picture in words."""
    curve = found.curve
    modes = [one.mode for one in curve.modes]
    source = "exact value" if curve.exact else "central differences"
    if len(curve.expected) > 1:
        source = "between the derivatives of both sides"
    told = [f"The {found.title} ({curve.place.at}) is expected to be {found.expected} ({source})."]
    told += [f"{named(one.members, modes)} gives {shown(one.got)}, {one.extent}." for one in found.wrong]
    told += [f"{named(found.agree, modes)} agrees."] if found.agree else []
    told += [f"{named(found.raised, modes)} raises an error."] if found.raised else []
    return " ".join(told)
