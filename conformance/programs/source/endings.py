"""Endings of the checks of programs, for each oracle: a law's own source, or a comparison with numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy

from conformance.laws.comparison import largest
from conformance.laws.compositions import forward
from conformance.laws.differences import central
from conformance.laws.law import EqualityLaw
from conformance.programs.oracles import ORACLES, forward_is_differences, reverse_is_differences
from conformance.programs.shapes import shapes_of
from conformance.programs.source.law_source import Text, WrittenSubject, law_lines, numbers_shown
from conformance.programs.source.writer import listing
from conformance.programs.subject import ProgramSubject

BY_DIFFERENCES = "by central differences"


class Unwritable(Exception):
    """No check can be written of a program; the message is the reason."""


def ending(oracle: str, case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """The lines of a check of a program; `other` is the program on the reference engine. Raises Unwritable."""
    law = ORACLES.get(oracle)
    return law_lines(law, case) if isinstance(law, EqualityLaw) else ENDINGS[oracle](case, other)


def runs(case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """The program returns an array of the shape that is known without running it."""
    xs = [f"x{n}" for n in range(len(case.point))]
    arrays = [f"{x} = ad.array({numbers_shown(numbers)})" for x, numbers in zip(xs, case.point, strict=True)]
    shape = shapes_of(case.program)[case.program.body.gives[0]]
    program = listing(case.program.body).splitlines()
    return [*arrays, "", *program, "", f"equal(program({', '.join(xs)}).shape, {shape})"]


def reverse_beside_differences(case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """The gradient along the directions is a number."""
    difference, gradient = reverse_is_differences(case), case.numbers(case.gradient)
    got = sum(float(numpy.sum(g * v)) for g, v in zip(gradient, case.direction(0), strict=True))
    scale = case.scale((), case.gradient)
    expected = float(difference.expected) if difference else central(case.along(case.scalar, 0)).value
    # The oracle passes where differences do not settle; then there is no number to write.
    if difference is None and not abs(expected - got) <= case.nearness * scale:
        raise Unwritable("it has no derivative there, as differences show")
    at = WrittenSubject(case)
    derivative = at.dot(at.gradient, at.directions(0))
    at.close(derivative, _literal(expected), 2 * scale, case.nearness, BY_DIFFERENCES)
    return at.source


def forward_beside_differences(case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """The derivative in forward mode is a number."""
    difference = forward_is_differences(case)
    if difference is None:
        raise Unwritable("forward mode agrees with differences, or reverse mode raises no error")
    at = WrittenSubject(case)
    size = 2 * max(1.0, abs(float(difference.got)))
    derivative = forward(at, at.scalar, 0)(*at.primals)
    at.close(derivative, _literal(float(difference.expected)), size, case.nearness, BY_DIFFERENCES)
    return at.source


def reference(case: ProgramSubject, other: ProgramSubject | None) -> list[str]:
    """Value and gradient are numbers."""
    if other is None:
        raise Unwritable("the reference engine does not run it")
    at, value, gradient = WrittenSubject(case), other.prepared().plain[0], other.numbers(other.gradient)
    at.close(Text("program")(*at.primals), _literal(value), largest([value]))
    for got, expected in zip(at.gradient, gradient, strict=True):
        at.close(got, _literal(expected), largest([expected]))
    return at.source


def _literal(numbers: object) -> Text:
    return Text(numbers_shown(numbers))


ENDINGS: dict[str, Callable[[ProgramSubject, ProgramSubject | None], list[str]]] = {
    "runs": runs,
    "reverse_is_differences": reverse_beside_differences,
    "forward_is_differences": forward_beside_differences,
    "reference": reference,
}
