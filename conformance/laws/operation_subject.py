"""An operation at a sample, as a subject of laws: a row of the table, or an item of an engine's inventory."""

from __future__ import annotations

from typing import Any

import numpy

from conformance.laws.subject import NumPyArray, Subject
from conformance.operations.row import RowError
from conformance.operations.samples import Sample
from conformance.protocol.types import Array


class OperationSubject(Subject):
    """A sample on an engine: its arguments are arrays of the engine, its outputs are summed with fixed cotangents."""

    def __init__(self, ad: Any, sample: Sample, dtype: str | None = None) -> None:
        super().__init__(ad, sample.differentiated, dtype)
        self.sample, self.operation = sample, sample.operation
        # Arguments without a derivative: masks and indices keep their dtype, numbers take that of the subject.
        self._given = {
            at: ad.array(value.tolist(), dtype if value.dtype.kind == "f" else None)
            for at, (argument, value) in enumerate(zip(self.operation.arguments, sample.values, strict=True))
            if argument.is_given
        }

    def outputs(self, *xs: Array) -> list[Array]:
        """The outputs of the operation that are numbers, as `observed`."""
        results = self.call(*xs)
        if self.operation.observed:
            results = self.operation.observed(self.ad, *(results if isinstance(results, tuple) else (results,)))
        outputs = results if isinstance(results, tuple) else (results,)
        numeric = ("float", "bfloat", "complex")
        # Indices, signs and flags have no derivative, and None is an output that was not asked for.
        return [x for x in outputs if x is not None and self.ad.dtype_of(x).startswith(numeric)]

    def call(self, *xs: Array) -> Any:
        """The result of the operation for these arguments."""
        free = iter(xs)
        arguments = [
            self._given[at] if argument.is_given else self._entered(at, next(free))
            for at, argument in enumerate(self.operation.arguments)
        ]
        positional = [value for name, value in self.sample.options.items() if name in self.operation.required]
        named = {name: value for name, value in self.sample.options.items() if name not in self.operation.required}
        operation = self.operation.call or getattr(self.ad.np, self.operation.name)
        return operation(*([arguments] if self.operation.joined else arguments), *positional, **named)

    def _entered(self, at: int, x: Array) -> Array:
        enters = self.operation.arguments[at].enters
        return enters(self.ad, x) if enters else x

    def parts(self, *xs: Array) -> list[tuple[int, Array]]:
        """Real outputs, each with the number of its cotangent. Raises RowError where there are none."""
        if parts := super().parts(*xs):
            return parts
        raise RowError(f"operation {self.operation.name!r} returns no output of a float dtype")

    def direction(self, number: int) -> tuple[NumPyArray, ...]:
        """The sample's direction of that number."""
        return self.sample.directions(number)

    def cotangent(self, number: int, shape: tuple[int, ...]) -> NumPyArray:
        """The sample's cotangent of that number."""
        return self.sample.cotangent(number, shape)

    def neighbour(self) -> OperationSubject:
        """The operation at another point of the same kind."""
        return OperationSubject(self.ad, self.sample.neighbour(), self.dtype)

    @property
    def rounding(self) -> float:  # type: ignore[override]
        """Zero in a tail: there a derivative is tiny, and no sum."""
        return 0.0 if self.sample.in_tail else float(numpy.finfo("float64").eps)
