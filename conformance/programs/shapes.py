"""Shapes of a program's values, by the rules of its forms: nothing is run."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.programs.forms import FORMS, Misfit
from conformance.programs.program import Body, Program, Step
from conformance.protocol.types import Shape

# By number; None: the value is no array, as that of a hook.
Shapes = Sequence[Shape | None]


def shapes_of(program: Program) -> list[Shape | None]:
    """The shapes of all values at the top. Raises Misfit where the steps do not fit."""
    return shapes_in(program.body, [array.shape for array in program.inputs])


def shapes_in(body: Body, outer: Shapes) -> list[Shape | None]:
    """The shapes of all values of a body, those before its steps included. Raises Misfit."""
    shapes = list(outer)
    for step in body.steps:
        shapes.append(shape_of(step, shapes))
    return shapes


def shape_of(step: Step, shapes: Shapes) -> Shape | None:
    """The shape of a step's value, from those of all values before it. Raises Misfit."""
    try:
        operands = _operands(step, shapes)
        returned: list[Shape] = []
        # Most steps have no body, and a generator asks for the shapes of some 100,000 steps in a second.
        if step.bodies:
            for body, parameters in zip(step.bodies, parameters_of(step, shapes), strict=True):
                inside = shapes_in(body, [*shapes, *parameters])
                returned += [_of_array(inside, number) for number in body.gives]
        return FORMS[step.form].shape(operands, step.options, returned)
    # Rules index the shapes that they expect: a form in the place of another may have fewer, or fewer options.
    except (IndexError, TypeError) as error:
        raise Misfit(f"{step.form} does not fit its values") from error


def parameters_of(step: Step, shapes: Shapes) -> list[tuple[Shape, ...]]:
    """The shapes of the parameters of each of a step's bodies. Raises Misfit."""
    arguments = FORMS[step.form].arguments
    return arguments(_operands(step, shapes), step.options) if arguments else []


def _operands(step: Step, shapes: Shapes) -> list[Shape]:
    return [_of_array(shapes, number) for number in step.takes]


def _of_array(shapes: Shapes, number: int) -> Shape:
    shape = shapes[number]
    if shape is None:
        raise Misfit(f"value {number} is no array")
    return shape
