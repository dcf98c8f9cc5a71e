"""A batch of points: programs mapped over an axis of it, compared with a loop over its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared
from conformance.laws.compositions import FORWARD, REVERSE, Composition
from conformance.laws.law import Comparison, EqualityLaw
from conformance.laws.quantity import Quantity, register
from conformance.laws.subject import NumPyArray, Subject
from conformance.protocol.types import Array, Arrays


def _axes(at: Subject, last: bool) -> list[int]:
    return [x.ndim if last else 0 for x in at.point]


def _batch(last: bool) -> Callable[[Subject], Sequence[NumPyArray]]:
    """Two points, which are enough to mix up examples: of equal points no mistake would be seen."""

    def stacked(at: Subject) -> Sequence[NumPyArray]:
        points = zip(at.point, at.other_point(), _axes(at, last), strict=True)
        return [numpy.stack([x, y], axis) for x, y, axis in points]

    return stacked


def _mapped(mode: Composition, last: bool) -> Quantity:
    def compute(at: Any, *stacked: Array) -> Arrays:
        (derivative,) = mode.modes
        return [at.ad.vmap(derivative(at, at.scalar, 1), tuple(_axes(at, last)))(*stacked)]

    return Quantity(f"vmap of {mode} over the {_name(last)} axis", compute, _batch(last))


def _name(last: bool) -> str:
    return "last" if last else "first"


MAPPED = {(mode, last): register(_mapped(mode, last)) for mode in (REVERSE, FORWARD) for last in (False, True)}


def agrees_with_loop(at: Subject, mode: Composition) -> Difference | None:
    """Whether a derivative mapped over a batch, along its first and its last axis, is that of each element."""
    looped = [mode.value(at), mode.value(at.moved_to(at.other_point()))]
    for last in (False, True):
        (got,) = at.ask_numbers(MAPPED[mode, last])
        if difference := compared(got, looped, f"vmap over the {_name(last)} axis", at.rounding):
            return difference
    return None


@EqualityLaw.of_operations
def gradient_agrees_with_loop(at: Subject) -> Iterator[Comparison]:
    """The gradient through vmap over two points is that of the loop."""
    ad, other = at.ad, at.other_primals

    def total(*xs: Array) -> Array:
        return ad.np.sum(ad.vmap(at.scalar)(*xs))

    # The sum's gradient by an example is that example's gradient, unless vmap mixes examples.
    looped = at.stacked(at.gradient, ad.grad(at.scalar, at.argnums)(*other))
    got = ad.grad(total, at.argnums)(*at.stacked(at.primals, other))
    yield Comparison(got, looped, "gradient of a sum over vmap")
