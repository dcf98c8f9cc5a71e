"""Slices: programs without dead code, or without a step that shrinking leaves out."""

from __future__ import annotations

from collections.abc import Callable

from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program, Step, walk


def live(program: Program) -> Program:
    """The program without steps on which its result does not depend. What writes in place is kept as it is."""
    body = program.body
    if any(FORMS[step.form].writes or FORMS[step.form].heard for step in walk(body)):
        return program
    # From the last one backwards: where all uses of a value are gone, its step goes, too.
    for number in reversed(range(body.parameters, body.parameters + len(body.steps))):
        body = without(body, number, {}) or body
    return Program(program.kind, program.inputs, body)


def _uses(step: Step, number: int) -> bool:
    """Whether a step, or a body in it, takes a value that was made before it."""
    # No value of a body has that number: they are numbered from that of the step.
    inside = (number in body.gives or any(_uses(inner, number) for inner in body.steps) for body in step.bodies)
    return number in step.takes or any(inside)


def without(body: Body, number: int, instead: dict[int, int], start: int = 0) -> Body | None:
    """A body without the value of that number, a step's or a parameter, whose uses become uses of `instead`.

    `start` is the number of the body's first parameter. None where the value is used and nothing is put in its place.
    """
    at = number - start - body.parameters
    # Of a parameter all steps stay.
    kept, rest = (body.steps[:at], body.steps[at + 1 :]) if at >= 0 else ((), body.steps)
    needed = number in body.gives or any(_uses(step, number) for step in rest)
    if needed and number not in instead:
        return None

    def renumber(value: int) -> int:
        value = instead.get(value, value)
        return value - 1 if value > number else value

    steps = (*kept, *(renumbered(step, renumber) for step in rest))
    return Body(body.parameters - (at < 0), steps, tuple(map(renumber, body.gives)))


def renumbered(step: Step, renumber: Callable[[int], int]) -> Step:
    """A step whose values, and those in its bodies, have other numbers."""
    bodies = tuple(
        Body(
            body.parameters,
            tuple(renumbered(inner, renumber) for inner in body.steps),
            tuple(map(renumber, body.gives)),
        )
        for body in step.bodies
    )
    return Step(step.form, tuple(map(renumber, step.takes)), step.options, bodies)


def resliced(program: Program) -> Program:
    """The program without the steps that its result does not depend on; where it has none, with one."""
    other, body = live(program), program.body
    if other != program:
        return other
    # A step at the end takes the result, which then has a use from which no cotangent comes.
    dead = Step("np.cos", (body.gives[0],))
    return Program(program.kind, program.inputs, Body(body.parameters, (*body.steps, dead), body.gives))
