"""A program is data: its inputs, steps over the verbs of the protocol, and what it returns.

Values are numbered: the inputs first, then what each step makes. A body, which is the program that a transform is
given, sees the values that were made before it, then its parameters, then its own steps. So a program can be written
down, sent to another machine, made smaller, and drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

# What a step has beside values: numbers, the name of an operation, a shape, an index.
Option: TypeAlias = int | float | str | bool | tuple[int, ...] | None


# Tuples, not lists: programs are compared and shared.
class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One use of a form (`conformance.programs.forms`): the values that it takes, by number, options, and bodies."""

    form: str
    takes: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    bodies: tuple[Body, ...] = ()


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program inside a program: how many arguments it takes, its steps, and the numbers of what it returns."""

    parameters: int
    steps: tuple[Step, ...]
    # Empty where nothing is returned, as by bodies of some hooks.
    gives: tuple[int, ...]


class Input(msgspec.Struct, frozen=True, omit_defaults=True):
    """An array that a program is given: its shape, its numbers in row-major order, and whether it requires grad."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]
    requires_grad: bool = True


class Program(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program of a kind (`conformance.programs.generator.kinds`): its inputs are the parameters of its body."""

    kind: str
    inputs: tuple[Input, ...]
    body: Body


def walk(body: Body) -> Iterator[Step]:
    """All steps of a body and of the bodies in it."""
    for step in body.steps:
        yield step
        for inner in step.bodies:
            yield from walk(inner)
