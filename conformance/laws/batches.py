"""A batch of points: programs mapped over an axis of it, compared with a loop over its elements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from conformance.laws.comparison import Difference, compared
from conformance.laws.law import Comparison, EqualityLaw
from conformance.laws.subject import Subject
from conformance.protocol.types import Array, Program


def agrees_with_loop(at: Subject, program: Program) -> Difference | None:
    """Whether the program mapped over a batch, along its first and its last axis, is the program of each element."""
    points = at.point, at.other_point()
    # Two points are enough to mix up examples; of equal points no mistake would be seen.
    looped = [at.number(program(*map(at.array, point))) for point in points]
    for name, axes in (("first", [0] * len(at.point)), ("last", [x.ndim for x in at.point])):
        stacked = [at.array(numpy.stack(xs, axis)) for *xs, axis in zip(*points, axes, strict=True)]
        got = at.ad.to_numpy(at.ad.vmap(program, tuple(axes))(*stacked))
        if difference := compared(got, looped, f"vmap over the {name} axis", at.rounding):
            return difference
    return None


@EqualityLaw
def gradient_agrees_with_loop(at: Subject) -> Iterator[Comparison]:
    """The gradient through vmap over two points is that of the loop."""
    ad, other = at.ad, tuple(map(at.array, at.other_point()))

    def total(*xs: Array) -> Array:
        return ad.np.sum(ad.vmap(at.scalar)(*xs))

    # The sum's gradient by an example is that example's gradient, unless vmap mixes examples.
    looped = at.stacked(at.gradient, ad.grad(at.scalar, at.argnums)(*other))
    got = ad.grad(total, at.argnums)(*at.stacked(at.primals, other))
    yield Comparison(got, looped, "gradient of a sum over vmap", error=at.rounding)
