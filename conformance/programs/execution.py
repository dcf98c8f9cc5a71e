"""Runs a program on an engine: each step calls its form's function with the engine's verbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program, Step
from conformance.protocol.types import Array


class Execution:
    """One run of a program's steps. It keeps what was heard (bodies of hooks, in the order of their calls).

    `constants` are the numbers of steps through which no derivative flows. A run that is given a list without any adds
    them to it; one that is given some, at a point beside the first, takes them from there, as a derivative does.
    """

    def __init__(self, ad: Any, constants: list[Any] | None = None) -> None:
        self.ad = ad
        self.heard: list[int] = []
        self._constants = constants
        self._given = iter(constants) if constants else None

    def returned(self, body: Body, outer: Sequence[Array], arguments: Sequence[Array]) -> Any:
        """Run a body and return its result; None where it gives nothing."""
        values = self.values(body, outer, arguments)
        return values[body.gives[0]] if body.gives else None

    def values(self, body: Body, outer: Sequence[Array], arguments: Sequence[Array]) -> list[Any]:
        """All values of a body: those outside of it, its arguments, and what its steps make."""
        values: list[Any] = [*outer, *arguments]
        for step in body.steps:
            values.append(self.step(step, values))
        return values

    def step(self, step: Step, values: list[Any]) -> Any:
        """Run a step and return its value."""
        form = FORMS[step.form]
        if not step.bodies:
            made = form.call(self.ad, *[values[number] for number in step.takes], *step.options)
        else:
            # A copy: a hook's body runs when `values` has grown, and numbers its own from here.
            bodies = [self._function(body, list(values), form.heard) for body in step.bodies]
            made = form.call(self.ad, *bodies, *[values[number] for number in step.takes], *step.options)
        return self._constant(made) if form.constant else made

    def _constant(self, made: Array) -> Array:
        if self._given is not None:
            return self.ad.array(next(self._given))
        if self._constants is not None:
            # The numbers, as the array may be written in place afterwards.
            self._constants.append(self.ad.to_numpy(made).tolist())
        return made

    def _function(self, body: Body, outer: list[Any], heard: bool) -> Any:
        # As a written check counts (`source.writer`), so that both hear the same.
        number = len(outer)

        def function(*arguments: Array) -> Any:
            if heard:
                self.heard.append(number)
            return self.returned(body, outer, arguments)

        return function


def inputs_of(program: Program) -> list[Any]:
    """The inputs of a program as nested lists of numbers."""
    return [numpy.reshape(array.numbers, array.shape).tolist() for array in program.inputs]
