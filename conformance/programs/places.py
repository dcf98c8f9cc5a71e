"""Memory of a program's values: which of them a write changes, known from the forms alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program, Step


class ValuePlace(NamedTuple):
    """The array that a value is, and the memory that it lies in, each by the number of the value that made it.

    `of_parameter`: the memory is that of a parameter, of a body or of the program.
    """

    array: int
    memory: int
    of_parameter: bool = False


def places_of(program: Program) -> Iterator[tuple[str, Step, list[ValuePlace]]]:
    """All steps, each with the form that it is inside of, if any, and the places of the values that it takes."""
    return _places_in(program.body, "", {})


def _places_in(
    body: Body, inside: str, outer: Mapping[int, ValuePlace]
) -> Iterator[tuple[str, Step, list[ValuePlace]]]:
    start = len(outer)
    # A copy: numbers of a body are used again after it, for other values.
    places = {**outer, **{n: ValuePlace(n, n, True) for n in range(start, start + body.parameters)}}
    for number, step in enumerate(body.steps, start + body.parameters):
        form, taken = FORMS[step.form], [places[value] for value in step.takes]
        yield inside, step, taken
        for inner in step.bodies:
            yield from _places_in(inner, step.form, places)
        places[number] = ValuePlace(number, number)
        if taken and (form.writes or form.view):
            # What is written is the same array afterwards; a view is another one in the same memory.
            places[number] = taken[0] if form.writes else taken[0]._replace(array=number)


def overwrites_arguments(program: Program) -> bool:
    """Whether a program, or a body in it, writes into its arguments, or into a view of one.

    The function that is differentiated uses its arguments once more, after the program.
    """
    return any(FORMS[step.form].writes and taken[0].of_parameter for _, step, taken in places_of(program))
