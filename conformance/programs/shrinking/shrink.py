"""Shrinking: fewer steps and simpler numbers, while the program still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import msgspec

from conformance.programs.forms import Misfit
from conformance.programs.generator.kinds import KINDS
from conformance.programs.places import overwrites_arguments
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.shapes import Shapes, parameters_of, shapes_in, shapes_of
from conformance.programs.shrinking.slices import without

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
    for body in _smaller_bodies(program.body, 0, [array.shape for array in program.inputs]):
        yield msgspec.structs.replace(program, body=body)
    for number in range(len(program.inputs)):
        rest = without(program.body, number, {})
        # A program without inputs has no derivative.
        if rest is not None and rest.parameters:
            yield Program(program.kind, (*program.inputs[:number], *program.inputs[number + 1 :]), rest)
    for number, array in enumerate(program.inputs):
        for simpler in _simpler(array):
            inputs = (*program.inputs[:number], simpler, *program.inputs[number + 1 :])
            yield msgspec.structs.replace(program, inputs=inputs)


def _smaller_bodies(body: Body, start: int, outer: Shapes) -> Iterator[Body]:
    """Bodies smaller by one change; `start` is the number of the first parameter.

    `outer` are the shapes of all values before the steps, parameters included.
    """
    shapes = shapes_in(body, outer)
    first = start + body.parameters
    for at in reversed(range(len(body.steps))):
        number = first + at
        # Of one shape first; whether others fit is checked afterwards.
        others = sorted(range(number - 1, -1, -1), key=lambda other: shapes[other] != shapes[number])
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


def _simpler_steps(step: Step, number: int, shapes: Shapes) -> Iterator[Step]:
    """A step with smaller bodies, or with a simpler operation in its place."""
    for at, (body, parameters) in enumerate(zip(step.bodies, parameters_of(step, shapes), strict=True)):
        for smaller in _smaller_bodies(body, number, [*shapes[:number], *parameters]):
            yield msgspec.structs.replace(step, bodies=(*step.bodies[:at], smaller, *step.bodies[at + 1 :]))
    if step.form.startswith("np.") and not step.options:
        simple = SIMPLE_UNARY if len(step.takes) == 1 else SIMPLE_BINARY
        # Only downwards, so that shrinking ends.
        if step.form not in (SIMPLE_UNARY, SIMPLE_BINARY):
            yield msgspec.structs.replace(step, form=simple)


def _fits(program: Program) -> bool:
    if not KINDS[program.kind].tape and overwrites_arguments(program):
        return False
    try:
        shapes = shapes_of(program)
    except Misfit:
        return False
    return all(shapes[number] is not None for number in program.body.gives)


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
