"""The scope of a body while it is drawn: shape, range and memory of each value so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from conformance.programs.forms import FORMS
from conformance.programs.forms.ranges import LARGEST, Range, bounds_of, size_of, union
from conformance.programs.generator.draws import SeedStream
from conformance.programs.program import Body, Option, Step
from conformance.programs.shapes import shape_of
from conformance.protocol.types import Shape

# Arrays stay small: programs are about steps, and a finding is read by people.
LARGEST_SIZE, MOST_AXES = 24, 3


class Unfit(Exception):
    """No value fits a step, or its result would be too large: the step is left out."""


@dataclass(slots=True)
class KnownValue:
    """The known properties of a value.

    `memory` names the memory that it shares with its views: the number of the value that made it. `depends` has
    the depths of the bodies on whose parameters its derivative depends, and 0 for an input that requires grad. `leaf`:
    it is such an input. `saved`: an operation may have saved it for backward. `spread`: several elements share a place
    in memory, as those of an expanded array.
    """

    shape: Shape
    range: Range
    memory: int
    depends: frozenset[int] = frozenset()
    leaf: bool = False
    saved: bool = False
    spread: bool = False


class Scope:
    """A body while it is drawn: the values that its next step can take, and the steps so far.

    `grow` adds some steps to a body's scope. `written`: steps may write in place, so that what may or may not share
    memory is not drawn.
    """

    def __init__(
        self, draws: SeedStream, values: list[KnownValue | None], grow: Callable[[Scope], None], written: bool
    ) -> None:
        self.draws, self.values, self.grow, self.written = draws, values, grow, written
        self.start, self.depth, self.forward = len(values), 0, False
        self.steps: list[Step] = []

    def inside(self, parameters: list[KnownValue], forward: bool = False) -> Scope:
        """The scope of a body of the next step, with these parameters; `forward`: it is run in forward mode."""
        scope = Scope(self.draws, [*self.values, *parameters], self.grow, self.written)
        # In forward mode once, in forward mode within: no body of a rule for reverse mode alone fits there.
        scope.start, scope.depth, scope.forward = len(self.values), self.depth + 1, self.forward or forward
        return scope

    def parameter(self, shape: Shape, bounds: Range) -> KnownValue:
        """A parameter of a body of the next step."""
        depth = self.depth + 1
        return KnownValue(shape, bounds, -1, frozenset((depth,)))

    @property
    def shapes(self) -> list[Shape | None]:
        """The shape of each value; None for what is no array."""
        return [None if known is None else known.shape for known in self.values]

    def known(self, number: int) -> KnownValue:
        """The known properties of the value of that number."""
        known = self.values[number]
        assert known is not None
        return known

    def some(self, fits: Callable[[KnownValue], object] = lambda known: True) -> int:
        """Choose a value that fits; the latest has the best chance. Raises Unfit where there is none."""
        x = self.choose(fits)
        if x is None:
            raise Unfit
        return x

    def choose(self, fits: Callable[[KnownValue], object]) -> int | None:
        """The same, for steps that go on where no value fits."""
        # Half of the time the latest value: long chains, in which an early mistake shows, and few dead steps.
        last = len(self.values) - 1
        known = self.values[last]
        if known is not None and self.draws.happens(0.5) and fits(known):
            return last
        fitting = [number for number, known in enumerate(self.values) if known is not None and fits(known)]
        return self.draws.one_of(fitting) if fitting else None

    def add(
        self,
        form: str,
        takes: tuple[int, ...],
        *options: Option,
        bodies: tuple[Body, ...] = (),
        bounds: Range | None = None,
    ) -> int:
        """Add a step, whose result lies between these bounds (None: those of its form); returns its value's number.

        Raises Unfit where the result is too large, or an operand outside of the domain.
        """
        described, step = FORMS[form], Step(form, takes, options, bodies)
        operands = [self.known(number) for number in takes]
        shape = shape_of(step, self.shapes)
        bounds = bounds or bounds_of(form, operands[0].shape, [operand.range for operand in operands], options)
        if bounds is None or size_of(bounds) > LARGEST:
            raise Unfit
        if shape is not None and (prod(shape) > LARGEST_SIZE or len(shape) > MOST_AXES):
            raise Unfit
        number = len(self.values)
        depends: frozenset[int] = frozenset()
        if not described.constant:
            depends = depends.union(*(operand.depends for operand in operands))
        # A view or write has the memory of its first operand, so that later writes know which values they change.
        shares = described.view or described.writes
        memory = operands[0].memory if shares else number
        spread = shares and (operands[0].spread or form == "view.expand")
        made = None if shape is None else KnownValue(shape, bounds, memory, depends, spread=spread)
        if described.writes:
            self._note_write(operands[0], bounds, depends)
        elif not described.view:
            # Which operands an operation saves is the engine's choice, so all of them count as saved.
            for operand in operands:
                operand.saved = True
        self.values.append(made)
        self.steps.append(step)
        return number

    def _note_write(self, target: KnownValue, bounds: Range, depends: frozenset[int]) -> None:
        for known in self.values:
            if known is not None and known.memory == target.memory:
                known.range, known.depends = union(known.range, bounds), known.depends | depends

    def body(self, gives: int) -> Body:
        """The body, which returns the value of that number."""
        parameters = len(self.values) - len(self.steps) - self.start
        return Body(parameters, tuple(self.steps), (gives,))


# Adds a step to a scope, and returns the number of its value. Raises Unfit.
DrawStep: TypeAlias = Callable[[Scope], int]


def one_value(form: str, fits: Callable[[KnownValue], object] = lambda known: True) -> DrawStep:
    """A step of a form that takes one value."""
    return lambda scope: scope.add(form, (scope.some(fits),))
