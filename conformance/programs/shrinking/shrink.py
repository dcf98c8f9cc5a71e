"""Shrinking: fewer steps and simpler numbers, while the program still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import msgspec

from conformance.programs.forms import FORMS, Misfit
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.shrinking.slices import overwrites_arguments, without
from conformance.protocol.types import Shape

# Simpler operations, which replace others.
SIMPLE_UNARY, SIMPLE_BINARY = "np.sin", "np.multiply"
# The number of candidates for one finding.
LIMIT = 400


def shrink_program(program: Program, fails: Callable[[Program], bool], limit: int = LIMIT) -> Program:
    """Shrink a program that fails to the smallest one near it.

    Passes are repeated until none makes it smaller, as in Hypothesis (MacIver and Donaldson, 2020): steps are left out,
    bodies are emptied, inputs left out, operations replaced by simpler ones, numbers by simpler numbers.
    """
    tries = 0
    changed = True
    while changed and tries < limit:
        changed = False
        for candidate in _smaller(program):
            tries += 1
            if tries > limit:
                break
            # From the first pass again: where a step is gone, larger parts may go, too.
            if _fits(candidate) and fails(candidate):
                program, changed = candidate, True
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    """Programs that are smaller by one change, the largest changes first."""
    for body in _smaller_bodies(program.body, 0, _input_shapes(program)):
        yield msgspec.structs.replace(program, body=body)
    for number in range(len(program.inputs)):
        if (rest := _without_input(program, number)) is not None:
            yield rest
    for number, array in enumerate(program.inputs):
        for simpler in _simpler(array):
            inputs = (*program.inputs[:number], simpler, *program.inputs[number + 1 :])
            yield msgspec.structs.replace(program, inputs=inputs)


def _input_shapes(program: Program) -> list[Shape | None]:
    return [array.shape for array in program.inputs]


def _smaller_bodies(body: Body, start: int, outer: list[Shape | None]) -> Iterator[Body]:
    """Bodies smaller by one change; `start` is the number of the first parameter, `outer` the shapes of all before."""
    shapes = _shapes(body, outer)
    if shapes is None:
        return
    first = start + body.parameters
    for at in reversed(range(len(body.steps))):
        number = first + at
        # Of one shape first; whether others fit is checked afterwards.
        others = sorted(range(number - 1, -1, -1), key=lambda other: not _alike(shapes, other, number))
        for instead in ({}, *({number: other} for other in others if shapes[other] is not None)):
            if (shorter := without(body, number, instead, start)) is not None:
                yield shorter
    for at, step in enumerate(body.steps):
        for simpler in _simpler_steps(step, first + at, shapes):
            yield Body(body.parameters, (*body.steps[:at], simpler, *body.steps[at + 1 :]), body.gives)
    # An earlier value as the result makes the steps after it dead.
    for number in range(first, first + len(body.steps)):
        if body.gives and number != body.gives[0] and shapes[number] == shapes[body.gives[0]]:
            yield Body(body.parameters, body.steps, (number,))


def _alike(shapes: list[Shape | None], number: int, other: int) -> bool:
    return shapes[number] is not None and shapes[number] == shapes[other]


def _simpler_steps(step: Step, number: int, shapes: list[Shape | None]) -> Iterator[Step]:
    """A step with smaller bodies, or with a simpler operation in its place."""
    for at, body in enumerate(step.bodies):
        outer = [*shapes[:number], *_parameters(step, at, shapes)]
        for smaller in _smaller_bodies(body, number, outer):
            yield msgspec.structs.replace(step, bodies=(*step.bodies[:at], smaller, *step.bodies[at + 1 :]))
    if step.form.startswith("np.") and not step.options:
        simple = SIMPLE_UNARY if len(step.takes) == 1 else SIMPLE_BINARY
        # Only downwards, so that shrinking ends.
        if step.form not in (SIMPLE_UNARY, SIMPLE_BINARY):
            yield msgspec.structs.replace(step, form=simple)


def _parameters(step: Step, at: int, shapes: list[Shape | None]) -> list[Shape | None]:
    arguments = FORMS[step.form].arguments
    operands = [shapes[number] or () for number in step.takes]
    try:
        return list(arguments(operands, step.options)[at]) if arguments else [()] * step.bodies[at].parameters
    except (Misfit, IndexError):
        return [()] * step.bodies[at].parameters


def shapes_of(program: Program) -> list[Shape | None]:
    """The shapes of all values at the top. Raises Misfit where the steps do not fit."""
    shapes = _shapes(program.body, _input_shapes(program))
    if shapes is None:
        raise Misfit("the steps do not fit their values")
    return shapes


def _shapes(body: Body, outer: list[Shape | None]) -> list[Shape | None] | None:
    """The shapes of all values of a body, those outside included; None where a step does not fit."""
    shapes = list(outer)
    for step in body.steps:
        form = FORMS[step.form]
        try:
            operands = [_shape(shapes, number) for number in step.takes]
            returned = []
            arguments = form.arguments(operands, step.options) if form.arguments else []
            for parameters, inner in zip(arguments, step.bodies, strict=False):
                inside = _shapes(inner, [*shapes, *parameters[: inner.parameters]])
                if inside is None:
                    return None
                returned += [_shape(inside, number) for number in inner.gives]
            shapes.append(form.shape(operands, step.options, returned))
        except (Misfit, IndexError, TypeError):
            return None
    return shapes


def _shape(shapes: list[Shape | None], number: int) -> Shape:
    shape = shapes[number]
    if shape is None:
        raise Misfit(f"value {number} is no array")
    return shape


def _fits(program: Program) -> bool:
    if not KINDS[program.kind].tape and overwrites_arguments(program.body):
        return False
    shapes = _shapes(program.body, _input_shapes(program))
    return shapes is not None and all(shapes[number] is not None for number in program.body.gives)


def _without_input(program: Program, number: int) -> Program | None:
    """The program without an input that nothing takes."""
    if len(program.inputs) == 1:
        return None
    as_step = Body(0, (*[Step("input")] * len(program.inputs), *program.body.steps), program.body.gives)
    rest = without(as_step, number, {})
    if rest is None:
        return None
    inputs = (*program.inputs[:number], *program.inputs[number + 1 :])
    return Program(program.kind, inputs, Body(len(inputs), rest.steps[len(inputs) :], rest.gives))


def _simpler(array: Input) -> Iterator[Input]:
    """An input with less axes, or with simpler numbers."""
    for axis in range(len(array.shape)):
        yield _narrowed(array, axis)
    whole = tuple(float(round(number)) for number in array.numbers)
    for numbers in (
        (1.0,) * len(whole),
        (2.0,) * len(whole),
        whole,
        tuple(round(number, 1) for number in array.numbers),
    ):
        if numbers != array.numbers and _rank(numbers) < _rank(array.numbers):
            yield msgspec.structs.replace(array, numbers=numbers)


def _narrowed(array: Input, axis: int) -> Input:
    """The input without an axis: its first part along it."""
    size, inner = array.shape[axis], prod(array.shape[axis + 1 :])
    numbers = tuple(number for at, number in enumerate(array.numbers) if at // inner % size == 0)
    return msgspec.structs.replace(array, shape=array.shape[:axis] + array.shape[axis + 1 :], numbers=numbers)


def _rank(numbers: tuple[float, ...]) -> tuple[int, int]:
    """The complexity of numbers: the count of distinct ones, and of digits."""
    return len(set(numbers)), sum(len(f"{number:g}") for number in numbers)
