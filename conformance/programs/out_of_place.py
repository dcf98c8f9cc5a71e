"""Runs a program without writing in place: a memory is an array, views are indices of it, a write makes another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from conformance.programs.execution import Execution
from conformance.programs.forms import FORMS
from conformance.programs.program import Step
from conformance.protocol.types import Array

# What a view is to the array of places in memory.
VIEWS: dict[str, Any] = {
    "view.transpose": lambda places, axis, other: numpy.swapaxes(places, axis, other),
    "view.select": lambda places, axis, index: numpy.take(places, index, axis),
    "view.narrow": lambda places, axis, start, length: numpy.take(places, range(start, start + length), axis),
    # A view of an array of places has the places of the view's elements.
    "view.unsqueeze": lambda places, axis: numpy.expand_dims(places, axis),
    "view.expand": lambda places, shape: numpy.broadcast_to(places, shape),
    "view.diagonal": lambda places: numpy.diagonal(places),
}


@dataclass
class Memory:
    """An array that is written in place: all its elements along one axis."""

    elements: Array


@dataclass(frozen=True)
class Part:
    """A value that shares memory with others: the places of its elements."""

    memory: Memory
    places: Any


class OutOfPlace(Execution):
    """A run in which an in-place write is the operation, and its result put into the places of a new array."""

    def step(self, step: Step, values: list[Any]) -> Any:
        """Run a step; its value is an array, or a part of a memory that others share."""
        if step.form in VIEWS:
            part = self._part(step.takes[0], values)
            return Part(part.memory, VIEWS[step.form](part.places, *step.options))
        if FORMS[step.form].writes:
            return self._written(step, values)
        return super().step(step, [self._read(value) for value in values])

    def returned(self, body: Any, outer: Any, arguments: Any) -> Any:
        """Run a body and return its result as an array."""
        return self._read(super().returned(body, outer, arguments))

    def _part(self, number: int, values: list[Any]) -> Part:
        value = values[number]
        if not isinstance(value, Part):
            shape = tuple(value.shape)
            size = int(numpy.prod(shape))
            memory = Memory(self.ad.np.reshape(value, (size,)))
            # Replaced in the list, so that later steps share this memory.
            value = values[number] = Part(memory, numpy.arange(size).reshape(shape))
        return value

    def _read(self, value: Any) -> Any:
        if not isinstance(value, Part):
            return value
        # A copy: later writes must not show in it.
        chosen = self.ad.np.index_rows(value.memory.elements, self._index(value.places))
        return self.ad.np.reshape(chosen, tuple(value.places.shape))

    def _index(self, places: Any) -> Array:
        return self.ad.array(places.ravel().tolist())

    def _written(self, step: Step, values: list[Any]) -> Part:
        part = self._part(step.takes[0], values)
        places = part.places[step.options[0]] if step.form == "set_item_" else part.places
        made = self._made(step, [self._read(values[number]) for number in step.takes])
        flat = self.ad.np.reshape(self.ad.np.broadcast_to(made, places.shape), (places.size,))
        part.memory.elements = self.ad.np.at_set(part.memory.elements, self._index(places), flat)
        return part

    def _made(self, step: Step, arrays: list[Array]) -> Array:
        """The array that a step writes."""
        if step.form.startswith("write."):
            return getattr(self.ad.np, step.form.removeprefix("write."))(*arrays, *step.options)
        if step.form == "doubled_in_place":
            return arrays[0] * 2.0
        if step.form == "shift_unrecorded":
            return arrays[0] + step.options[0]
        return self.ad.np.zeros_like(arrays[0]) if step.form == "zero_" else arrays[1]
