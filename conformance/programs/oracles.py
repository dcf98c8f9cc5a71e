"""Oracles of programs that return a value: laws that hold for every subject, and those of programs alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy

from conformance.laws.batches import gradient_agrees_with_loop
from conformance.laws.comparison import Difference
from conformance.laws.compositions import (
    Derivative,
    forward,
    forward_over_forward,
    modes_agree,
    orders_of_modes,
    reverse,
)
from conformance.laws.judge import beside_differences
from conformance.laws.law import Comparison, EqualityLaw, recurs
from conformance.laws.transforms import checkpointed, compiled
from conformance.programs.forms import JUMPING
from conformance.programs.program import walk
from conformance.programs.subject import ProgramSubject

Oracle = Callable[[ProgramSubject], Difference | None]
# Points so near that rounding moves a number as far.
CLOSE_BY = (1e-9, -1e-9, 3e-9, -3e-9)


def at_a_jump(at: ProgramSubject) -> bool:
    """Whether the value of a program is quite another close by: engines that round differently may both be right."""
    if not any(step.form in JUMPING for step in walk(at.program.body)):
        return False
    return any(not numpy.allclose(at.value_at(t), at.plain[0], rtol=1e-4, atol=1e-4) for t in CLOSE_BY)


def reverse_is_differences(at: ProgramSubject) -> Difference | None:
    """The derivative along a direction in reverse mode is that of central differences, where there is one."""

    def judge(at: ProgramSubject) -> Difference | None:
        gradient = at.numbers(at.gradient)
        got = float(sum(numpy.sum(g * v) for g, v in zip(gradient, at.direction(0), strict=True)))
        scale = at.scale((), at.gradient)
        return beside_differences(at, got, at.along(at.scalar, 0), at.rough_estimate(), scale)

    return recurs(judge, at)


def forward_is_differences(at: ProgramSubject) -> Difference | None:
    """The same in forward mode, where reverse mode raises an error, such as for a saved value that was written."""

    def judge(at: ProgramSubject) -> Difference | None:
        got = at.number(forward(at, at.scalar, 0)(*at.primals))
        return beside_differences(at, got, at.along(at.scalar, 0), scale=max(at.scale((), ()), abs(got)))

    try:
        # Where there is a gradient, `forward_is_reverse` compares forward mode with it.
        at.gradient  # noqa: B018
    except Exception:
        return recurs(judge, at)
    return None


@EqualityLaw
def with_dead_code(at: ProgramSubject) -> Iterator[Comparison]:
    """Without the steps that the result does not depend on, or with more of them, the gradient is the same."""
    yield Comparison(at.gradient_of_resliced(), at.gradient, "gradient")


@EqualityLaw
def out_of_place(at: ProgramSubject) -> Iterator[Comparison]:
    """The gradient is that of the program with operations in the place of in-place writes, and indices of views."""
    yield Comparison(at.gradient_out_of_place(), at.gradient, "gradient")


@EqualityLaw
def unrolled(at: ProgramSubject) -> Iterator[Comparison]:
    """The gradient is that of the program with Python's loops in the place of scans."""
    yield Comparison(at.gradient_unrolled(), at.gradient, "gradient")


# By the names that signatures begin with.
FIRST_ORDER: dict[str, Oracle] = {
    "forward_is_reverse": modes_agree,
    "reverse_is_differences": reverse_is_differences,
    "forward_is_differences": forward_is_differences,
    "out_of_place": out_of_place,
    "checkpointed": checkpointed,
    "with_dead_code": with_dead_code,
    "mapped": gradient_agrees_with_loop,
    "unrolled": unrolled,
}
# As costly as all others together: compilation, and second order.
COSTLY: dict[str, Oracle] = {
    "compiled": compiled,
    "orders_of_modes": orders_of_modes,
    "forward_over_forward": forward_over_forward,
}
# Oracles that compare with differences, each with the mode whose derivative it compares.
BY_DIFFERENCES: dict[str, Derivative] = {"reverse_is_differences": reverse, "forward_is_differences": forward}
ORACLES: dict[str, Oracle] = FIRST_ORDER | COSTLY
